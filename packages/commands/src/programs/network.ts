import { CLASSES, carries, UNKNOWN } from "../values.ts";
import type { Call, Programs } from "./row.ts";

/** Programs that speak with other hosts. */
export const NETWORK: Programs = {
  curl: {
    values:
      "A b C c D d e E F H K=read m o P Q r t T u U w x X y Y z abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type " +
      "ciphers config=read connect-timeout connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii " +
      "data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech " +
      "engine etag-compare etag-save=write expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port " +
      "happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface ip-tos ipfs-gateway json " +
      "keepalive-time keepalive-cnt key key-type krb libcurl=write limit-rate local-port login-options mail-auth mail-from mail-rcpt " +
      "max-filesize max-redirs max-time netrc-file noproxy output output-dir parallel-max pass pinnedpubkey preproxy proto " +
      "proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header " +
      "proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype " +
      "proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request request-target resolve " +
      "retry retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-hostname speed-limit speed-time stderr " +
      "telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii unix-socket " +
      "upload-file url url-query user user-agent variable vlan-priority write-out",
    switches: "head netrc netrc-optional parallel get ip proxytunnel remote-name remote-name-all",
    harmless: "h V M manual",
    run: curl,
  },
  "wget wget2": {
    values:
      "a A B D e I i=read l O o P Q R t T U w X accept accept-regex append-output base bind-address body-data body-file " +
      "ca-certificate ca-directory certificate certificate-type ciphers config connect-timeout crl-file cut-dirs default-page " +
      "directory-prefix dns-timeout domains exclude-directories exclude-domains execute follow-tags ftp-user ftp-password header " +
      "hsts-file http-password http-user ignore-tags include-directories input-file=read level limit-rate load-cookies " +
      "local-encoding max-redirect method output-document output-file password pinnedpubkey post-data post-file preferred-location " +
      "prefer-family private-key private-key-type progress proxy-password proxy-user quota random-file read-timeout referer " +
      "regex-type reject reject-regex rejected-log remote-encoding restrict-file-names save-cookies secure-protocol start-pos " +
      "timeout tries use-askpass=code user user-agent wait waitretry warc-file warc-header",
    switches: "proxy recursive no-check-certificate",
    harmless: "h V",
    run: wget,
  },
  "http https xh xhs": {
    values:
      "p print o output s style a auth A auth-type session session-read-only proxy cert cert-key verify timeout max-redirects raw " +
      "boundary pretty format-options",
    switches: "download form json",
    harmless: "offline",
    run: httpie,
  },
  "aria2c axel": {
    values:
      "d dir o out output i input-file=read x max-connection-per-server s split j n num-connections header checksum",
    run: (call) => {
      for (const url of call.operands) call.write(call.value("o out output") ?? fileOf(url), CLASSES.remote);
    },
  },
  "nc ncat netcat": {
    values:
      "e c g G i I m M O o p P q s T V w W x X exec sh-exec lua-exec source source-port proxy proxy-type wait idle-timeout ssl-cert ssl-key",
    switches: "listen",
    harmless: "z h",
    run: (call) => {
      const host = call.operands[0];
      if (host === undefined && !call.has("l listen p source-port") && call.input === "") return;
      for (const command of call.values("e c exec sh-exec lua-exec")) serve(call, command, host ?? "*");
      connect(call, host);
    },
  },
  "telnet websocat wscat": { values: "l n b e c H", run: (call) => connect(call, call.operands[0]) },
  socat: { values: "b T t L l?", run: socat },
  openssl: {
    style: "dash",
    commands: {
      s_client: {
        values: "connect host port proxy servername cert key CAfile CApath starttls cipher",
        run: (call) => connect(call, call.value("connect")?.replace(/:\d+$/, "")),
      },
      "enc base64 aes-256-cbc aes-128-cbc smime cms": {
        values: "in=read out=write k pass passin K iv md kfile=read iter S inkey recip",
        reads: "input",
        when: { "d decrypt": { prints: "decoded" } },
        prints: "content",
      },
      "x509 verify crl req ts dgst": {
        values:
          "inkey=use signkey=use key=use sign=use queryfile=use out=write keyout=write in CAfile signer passin subj days config newkey",
      },
      "*": {
        values: "in=read out=write inkey=read keyout=write passin passout subj days config newkey",
        switches: "pubout",
        prints: "content",
        when: { pubout: { values: "in=read out inkey=read passin", prints: "nothing" } },
      },
    },
  },
  "mail mailx s-nail sendmail msmtp mutt swaks": {
    values: "s c b r a=- A attach h S f F to from server header body e",
    run: (call) => {
      const files = [
        ...call.values("a A attach"),
        ...(call.name === "mutt" ? call.operands.slice(0, -1) : []),
      ];
      const content = files.map((path) => call.read(path.replace(/^@/, ""))).join("");
      call.send(call.input + content + call.words.join(""), call.operands.at(-1));
    },
  },
  // A name that is asked for is sent, too.
  "ping ping6 dig nslookup host drill kdig whois traceroute getent": {
    run: (call) => {
      sendWords(call, call.operands);
      call.print(UNKNOWN);
    },
  },
  "invoke-webrequest invoke-restmethod iwr irm": {
    style: "dash",
    values: "Uri uri OutFile outfile Method method Body body InFile infile Headers headers",
    run: (call) => {
      const output = call.value("OutFile outfile");
      if (output === undefined) call.print(CLASSES.remote);
      else call.write(output, CLASSES.remote);
    },
  },
  "invoke-expression iex": {
    run: (call) => call.print(call.startText(`${call.operands.join(" ")}${call.input}`)),
  },
};

const LOCAL = /^(?:\w+:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::(\d+))?(?:\/|$)/;
/** Of these the local address is a database, not a server in development. */
const STORE_PORT = /^(?:9200|5984|6333|8500|2379|15672|8086|7700|8108|8983)$/;

function hostOf(url: string): string {
  return /^(?:\w+:\/\/)?(?:[^@/?#]*@)?(\[[^\]]*\]|[^:/?#]*)/.exec(url)?.[1] || url;
}

/** The name that a file gets which is named by an address only. */
function fileOf(url: string): string {
  return (
    url
      .replace(/[?#].*$/s, "")
      .replace(/^(?:\w+:\/\/)?[^/]*\/?/, "")
      .replace(/^.*\//s, "") || "index.html"
  );
}

/** Words that carry a secret tell it to the hosts. */
function sendWords(call: Call, urls: readonly string[], body?: string): void {
  const content = (body ?? "") + call.words.join("");
  const isTold = (["secret", "environment", "folder"] as const).some((each) => carries(content, each));
  if (body !== undefined || isTold) for (const host of new Set(urls.map(hostOf))) call.send(content, host);
}

function destroyBy(call: Call, method: string | undefined, urls: readonly string[]): void {
  if (method?.toUpperCase() !== "DELETE") return;
  for (const url of urls) {
    const local = LOCAL.exec(url);
    if (local === null || STORE_PORT.test(local[1] ?? "")) call.effectOn("destroy_remote", hostOf(url));
  }
}

/** `-o`, `-O` and their likes; `-` is the output. */
function deliver(call: Call, content: string, outputs: readonly string[], folder: string | undefined): void {
  if (outputs.length === 0) call.print(content);
  for (const output of outputs)
    if (output === "-" || output === "/dev/stdout") call.print(content);
    else call.write(folder === undefined || output.startsWith("/") ? output : `${folder}/${output}`, content);
}

function curl(call: Call): void {
  const urls = [...call.operands, ...call.values("url")];
  const bodies = [
    ...call
      .values("d data data-ascii data-binary json H header")
      .map((value) => (value.startsWith("@") ? call.read(value.slice(1)) : "")),
    ...call.values("data-urlencode url-query").map((value) => readAfter(call, /^[^=@]*@(.+)$/s, value)),
    ...call.values("F form").map((value) => readAfter(call, /^[^=]*=[@<]"?([^;,"]+)/s, value)),
    ...call.values("T upload-file").map((value) => (/^[-.]$/.test(value) ? call.input : call.read(value))),
  ];
  const hasBody =
    call.values("d data data-ascii data-binary data-raw data-urlencode json F form form-string T upload-file")
      .length > 0;
  sendWords(call, urls, hasBody || bodies.some((body) => body !== "") ? bodies.join("") : undefined);
  destroyBy(call, call.value("X request"), urls);
  if (call.values("Q quote").some((value) => /^[-+*]?(?:DELE|RMD|rm|rmdir)\b/i.test(value)))
    destroyBy(call, "DELETE", urls);
  for (const path of call.values("D dump-header c cookie-jar trace trace-ascii stderr"))
    if (path !== "-") call.write(path, UNKNOWN);
  const content = urls
    .map((url) => (/^file:\/\//i.test(url) ? call.read(url.slice(7)) : CLASSES.remote))
    .join("");
  const named = call.has("O remote-name remote-name-all") ? urls.map(fileOf) : [];
  deliver(
    call,
    call.has("I head") ? UNKNOWN : content,
    [...call.values("o output"), ...named],
    call.value("output-dir"),
  );
}

function readAfter(call: Call, expression: RegExp, value: string): string {
  const [, path] = expression.exec(value) ?? [];
  return path === undefined ? "" : call.read(path);
}

function wget(call: Call): void {
  const urls = call.operands;
  const files = call.values("post-file body-file");
  const hasBody = files.length > 0 || call.values("post-data body-data").length > 0;
  const body = files.map((path) => call.read(path)).join("");
  sendWords(call, urls, hasBody ? body : undefined);
  destroyBy(call, call.value("method"), urls);
  if (call.has("spider")) return;
  for (const path of call.values("o output-file a append-output save-cookies"))
    if (path !== "-") call.write(path, UNKNOWN);
  const outputs = call.values("O output-document");
  deliver(
    call,
    CLASSES.remote,
    outputs.length > 0 ? outputs : urls.map(fileOf),
    outputs.length > 0 ? undefined : call.value("P directory-prefix"),
  );
}

/** `http POST host field=text field@file`. */
function httpie(call: Call): void {
  const [first = "", ...rest] = call.operands;
  const isMethod = /^[A-Z]+$/.test(first) && rest.length > 0;
  const [url = "", ...items] = isMethod ? rest : call.operands;
  const files = items.map((item) => readAfter(call, /^[^=@:]*(?::?=)?@([^;]+)/s, item)).join("");
  const hasBody = files !== "" || call.input !== "" || items.some((item) => /^[^=:]+:?=[^=]/.test(item));
  sendWords(call, [url], hasBody ? files + call.input : undefined);
  destroyBy(call, isMethod ? first : undefined, [url]);
  const output = call.value("o output") ?? (call.has("d download") ? fileOf(url) : undefined);
  deliver(call, CLASSES.remote, output === undefined ? [] : [output], undefined);
}

/** A command whose input and output are a connection. */
function serve(call: Call, command: string, host: string): void {
  if (/\b(?:cmd|powershell|pwsh)(?:\.exe)?\b/i.test(command)) call.effect("execute.connection");
  const output = call.startText(command, { input: CLASSES.connection });
  if (/[\uE001-\uE003]/.test(output)) call.send(output, host);
}

/** What it is given goes there, and what it prints comes from there. */
function connect(call: Call, host: string | undefined): void {
  if (call.input !== "" && host !== undefined) call.send(call.input, host);
  call.print(CLASSES.connection);
}

const NET = /^(?:tcp|udp|sctp|dccp|ssl|openssl|dtls|socks|proxy|vsock|websocket|ip)[\w-]*:(?:[^:,]*:)?/i;

/** Two addresses, each `TYPE:what,option=value`. What comes in at one goes out at the other. */
function socat(call: Call): void {
  // Quotes and backslashes are its own.
  const addresses = call.operands.flatMap((operand) => operand.replace(/\\(.)|"/gs, "$1").split("!!"));
  const net = addresses.find((address) => NET.test(address));
  const host = net === undefined ? "" : hostOf(net.replace(/^[^:]*:/, ""));
  for (const address of addresses) {
    const [, started] = /^(?:exec|system|shell):(.*)$/is.exec(address) ?? [];
    const [, path] =
      /^(?:(?:open|file|gopen|creat|create):)?((?<=:)[^,]+|\.{0,2}\/[^,]*)/is.exec(address) ?? [];
    if (started !== undefined) {
      const command = started.replace(/,.*$/s, "");
      if (net !== undefined) serve(call, command, host);
      else call.print(call.startText(command));
    } else if (NET.test(address)) continue;
    else if (/^(?:-|stdio|stdin|stdout)(?:,|$)/i.test(address)) {
      if (net !== undefined) connect(call, host);
    } else if (path !== undefined && /^creat|,(?:creat|wronly|append)|,(?:o-)?trunc/i.test(address))
      call.write(path, net === undefined ? call.input : CLASSES.connection);
    else if (path !== undefined) {
      const content = call.read(path);
      if (net === undefined) call.print(content);
      else call.send(content, host);
    }
  }
}
