import type { PathSetName } from "@tenterhook/protocol/internal";
import type { CommandFiles, PathTarget } from "./effects.ts";
import { compilePatterns, coversPath, overlapsPath, type PathPattern } from "./path-patterns.ts";

/** What the sets depend on. */
export interface PathSetPlace {
  readonly workDir: string;
  readonly home: string | undefined;
  readonly files?: CommandFiles | undefined;
}

/** `some`: the path, or one that it could name, is in the set. `all`: everything that it could name is. */
export type Extent = "some" | "all";

const SYSTEM = compilePatterns(
  `/bin/** /sbin/** /lib/** /lib32/** /lib64/** /libx32/** /usr/** /etc/** /boot/** /dev/** /proc/** /sys/** /var/** /opt/** /srv/** /run/**
   /snap/** /nix/** /System/** /Library/** /Applications/** /private/** /Volumes/** ?:/Windows/**`,
);
/** Of these only the folder itself, or all in it. */
const SYSTEM_WHOLE = /^(?:\/tmp|\/var\/tmp|\/home|\/Users|\/mnt|\/media|[A-Za-z]:\/Users)(?<all>\/\.?\*+)?$/;
const ACCOUNTS = compilePatterns(
  `/etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/passwd- /etc/shadow- /etc/sudoers /etc/sudoers.d/** /etc/pam.d/** /etc/pam.conf
   /etc/ld.so.preload /etc/security/** /etc/master.passwd`,
);
const SCRATCH = compilePatterns(
  "/tmp/** /var/tmp/** /private/tmp/** /private/var/tmp/** /dev/shm/** /var/folders/**",
);
const GIT = compilePatterns("**/.git/**");
const HARMLESS_DEVICES = compilePatterns(
  `/dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty* /dev/std* /dev/fd/** /dev/shm/** /dev/pts/** /dev/ptmx
   /dev/console /proc/self/fd/**`,
);
const IGNORED = new Set(
  (
    "node_modules dist build out target coverage .next .nuxt .cache .venv venv __pycache__ .tox .gradle .turbo .parcel-cache .pytest_cache " +
    ".mypy_cache .ruff_cache .nyc_output .svelte-kit .vite .terraform tmp logs"
  ).split(" "),
);
const FIXTURE = /(?:^|\/)(?:tests?|specs?|fixtures|testdata|__tests__|__fixtures__)\//;
/** Keys, tokens and stores of other programs, wherever they are. */
const KEYS = compilePatterns(
  `~/.ssh/id_* ~/.ssh/*_rsa ~/.ssh/*_ed25519 ~/.ssh/*_ecdsa ~/.ssh/*_dsa ~/.ssh/*.pem ~/.ssh/*.key ~/.ssh/identity ~/.ssh/*.ppk **/.ssh/id_*
   **/id_rsa **/id_ed25519 **/id_ecdsa **/id_dsa /etc/ssh/ssh_host_*_key ~/.aws/** **/.aws/credentials ~/.gnupg/** **/.gnupg/** **/.netrc **/_netrc
   **/.pgpass **/.my.cnf **/.mylogin.cnf ~/.npmrc ~/.yarnrc.yml ~/.pypirc **/.pypirc ~/.git-credentials **/.git-credentials ~/.config/git/credentials
   ~/.kube/** **/.kube/config ~/.docker/config.json **/.docker/config.json ~/.config/gh/** ~/.config/hub ~/.config/glab-cli/**
   ~/.config/gcloud/** **/gcloud/application_default_credentials.json ~/.azure/** ~/.config/doctl/** ~/.terraform.d/credentials.tfrc.json
   ~/.terraformrc ~/.vault-token **/.vault-token ~/.cargo/credentials ~/.cargo/credentials.toml ~/.gem/credentials ~/.m2/settings.xml
   ~/.gradle/gradle.properties ~/.composer/auth.json ~/.config/composer/auth.json ~/.config/rclone/rclone.conf ~/.s3cfg **/.boto ~/.config/pypoetry/auth.toml
   ~/.config/op/** ~/.password-store/** ~/.local/share/keyrings/** ~/Library/Keychains/** /Library/Keychains/** **/*.keychain-db **/*.kdbx
   ~/.mozilla/firefox/**/logins.json ~/.mozilla/firefox/**/key4.db ~/.mozilla/firefox/**/cookies.sqlite ~/.config/google-chrome/**
   ~/.config/chromium/** ~/.config/BraveSoftware/** ~/Library/Application?Support/Google/Chrome/** ~/.config/Bitwarden/** ~/.config/sops/**
   ~/.config/age/** ~/.age/** **/.htpasswd ~/.fly/config.yml ~/.netlify/config.json ~/.config/netlify/config.json ~/.local/share/com.vercel.cli/auth.json
   ~/.claude/.credentials.json ~/.codex/auth.json ~/.gemini/oauth_creds.json ~/.local/share/opencode/auth.json ~/.config/github-copilot/** ~/.databrickscfg
   ~/.snowflake/** ~/.snowsql/config ~/.wgetrc ~/.curlrc ~/.smbcredentials ~/.bash_history ~/.zsh_history
   /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/master.passwd /etc/sudoers /etc/sudoers.d/** /etc/krb5.keytab /etc/wireguard/** /etc/ssl/private/**
   /etc/letsencrypt/** /etc/kubernetes/*.conf /etc/kubernetes/pki/** /proc/*/environ /proc/*/mem /proc/*/task/*/environ /proc/kcore /dev/mem /dev/kmem /var/run/secrets/**
   /run/secrets/**`,
);
const ENV_FILES = compilePatterns("**/.env **/.env.* **/.envrc **/*.env");
const MAYBE = compilePatterns(
  `**/*.key **/*.pem **/*.p12 **/*.pfx **/*.jks **/*.keystore **/*.ppk **/*.asc **/*.age **/secret*.yaml **/secret*.yml **/secret*.json
   **/secrets.json **/secrets.toml **/secrets.env **/credentials **/credentials.json **/credentials.y*ml **/credentials.toml **/credentials.xml **/credentials.csv **/service-account*.json **/service_account*.json **/client_secret*.json
   **/*.tfstate **/*.tfvars **/kubeconfig **/.npmrc **/.dockercfg **/.vault_pass* **/master.key **/token.json **/tokens.json`,
);
const NO_SECRETS = compilePatterns(
  `**/*.pub **/.ssh/known_hosts **/.ssh/config **/.ssh/authorized_keys **/.env.example **/.env.sample **/.env.template **/.env.dist **/.env.defaults
   **/.env.*.example **/*.example **/*.sample **/*.template **/example.env **/sample.env **/template.env **/.aws/config ~/.docker/*.crt **/.env.schema **/.gnupg/*.conf
   **/node_modules/**`,
);
const SELF = compilePatterns(
  `~/.config/agents/** **/.agents/hooks/** **/.tenterhook/** ~/.config/tenterhook/** ~/.local/state/tenterhook/** ~/.cache/tenterhook/**
   ~/.local/share/tenterhook-bridge/** ~/.local/share/tenterhook/** **/.git/hooks/** **/.husky/**
   **/.claude/settings.json **/.claude/settings.local.json **/.claude/hooks/** /etc/claude-code/** ~/.claude.json
   **/.codex/config.toml **/.codex/hooks.json **/.codex/hooks/** **/.gemini/settings.json **/.gemini/trusted_hooks.json **/.gemini/hooks/** **/.cursor/hooks.json **/.cursor/hooks/** **/.cursor/cli-config.json
   **/.cline/hooks/** **/.clinerules/hooks/** ~/Documents/Cline/Hooks/** **/.copilot/** **/.github/hooks/** **/.github/copilot/settings.json **/.github/copilot/settings.local.json **/.opencode/plugin/** **/.opencode/plugins/** **/opencode.json **/opencode.jsonc
   ~/.config/opencode/** **/.qwen/settings.json **/.factory/settings.json **/.factory/settings.local.json **/.factory/hooks.json **/.factory/hooks/** **/.kiro/hooks/** **/.kiro/agents/** **/.kimi/config.toml **/.kimi-code/config.toml
   **/.windsurf/hooks.json ~/.codeium/windsurf/hooks.json **/.pre-commit-config.yaml`,
);

/** Whether a path is in a set. Of what is not known at all, only its end counts: `$x/.ssh/id_rsa` is a key. */
export function isInPathSet(
  name: PathSetName,
  target: PathTarget,
  place: PathSetPlace,
  extent: Extent,
): boolean {
  if (name === "made") return target.isMade;
  const isIn = (path: string) => isPathIn(name, path, target, place, extent);
  return isTargetIn(target, extent, isIn);
}

/** The same for a glob of a rule. */
export function isInGlob(
  pattern: PathPattern,
  target: PathTarget,
  place: PathSetPlace,
  extent: Extent,
): boolean {
  const isIn = (path: string) => matches([pattern], path, target, place, extent);
  return isTargetIn(target, extent, isIn);
}

/** The path as it was typed, or what its links lead to; for `all` both. */
function isTargetIn(target: PathTarget, extent: Extent, isIn: (path: string) => boolean): boolean {
  if (target.path === target.resolved) return isIn(target.path);
  return extent === "some"
    ? isIn(target.path) || isIn(target.resolved)
    : isIn(target.path) && isIn(target.resolved);
}

function isPathIn(
  name: PathSetName,
  path: string,
  target: PathTarget,
  place: PathSetPlace,
  extent: Extent,
): boolean {
  const inPatterns = (patterns: readonly PathPattern[]) => matches(patterns, path, target, place, extent);
  switch (name) {
    case "root":
      return /^(?:\/+|\/\.?\*+|[A-Za-z]:\/?\*?)$/.test(path) || (target.isGlob && /^\/[*?.[\]]+$/.test(path));
    case "system":
      return isSystemWhole(path, target) || (inPatterns(SYSTEM) && !isExempt(path, target, place));
    case "accounts":
      return inPatterns(ACCOUNTS);
    case "home":
      // Where it is the root, nothing is let pass because it lies in it.
      return isBelow(path, place.home) && (extent === "some" || place.home !== "/");
    case "home-whole":
      return isHomeWhole(path, target, place);
    case "other-homes":
      return isOtherHome(path, place) && !isExempt(path, target, place);
    case "project":
      return target.known !== "unknown" && (path === place.workDir || isBelow(path, place.workDir));
    case "outside-project":
      return target.known !== "unknown" && path !== place.workDir && !isBelow(path, place.workDir);
    case "project-whole":
      return isAncestorOrSelf(path, place.workDir) || path === `${place.workDir}/.*`;
    case "git":
      return inPatterns(GIT);
    case "scratch":
      return isScratch(path, target);
    case "ignored":
      return isIgnored(path, target, place);
    case "secrets":
      return (inPatterns(KEYS) || inPatterns(ENV_FILES)) && !isNoSecret(path, place);
    case "keys":
      return inPatterns(KEYS) && !isNoSecret(path, place);
    case "maybe-secrets":
      return inPatterns(MAYBE) && !isNoSecret(path, place);
    case "fixtures":
      return isBelow(path, place.workDir) && FIXTURE.test(path.slice(place.workDir.length + 1));
    case "self":
      return inPatterns(SELF);
    case "harmless-device":
      return HARMLESS_DEVICES.some((pattern) => coversPath(pattern, path));
    case "made":
      return target.isMade;
  }
}

function matches(
  patterns: readonly PathPattern[],
  path: string,
  { isGlob, known }: PathTarget,
  { home }: PathSetPlace,
  extent: Extent,
): boolean {
  const inHome = home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  const names = path.split("/");
  const namesInHome = inHome === path ? undefined : inHome.split("/");
  for (const pattern of patterns)
    if (coversPath(pattern, names) || (namesInHome !== undefined && coversPath(pattern, namesInHome)))
      return true;
  if (extent === "all" || known === "unknown" || (!isGlob && known === "known")) return false;
  return patterns.some(
    (pattern) =>
      // An unknown part could be anything: only where the folder before it says something, it counts.
      (isGlob || pattern.segments[0] !== "**") &&
      (overlapsPath(pattern, path) || (inHome !== path && overlapsPath(pattern, inHome))),
  );
}

/** `/tmp/*` is the folder as a whole, `/tmp/$x` is one of its children. */
function isSystemWhole(path: string, { known }: PathTarget): boolean {
  const found = SYSTEM_WHOLE.exec(path);
  return found !== null && (known === "known" || found.groups?.all === undefined);
}

function isNoSecret(path: string, place: PathSetPlace): boolean {
  return (
    NO_SECRETS.some((pattern) => coversPath(pattern, path)) || isBelow(path, `${place.workDir}/node_modules`)
  );
}

/** What lies in a system tree and is not the system's. */
function isExempt(path: string, target: PathTarget, place: PathSetPlace): boolean {
  return (
    isScratch(path, target) ||
    (isBelow(path, place.workDir) && place.workDir !== "/") ||
    (place.home !== undefined && place.home !== "/" && isBelow(path, place.home)) ||
    HARMLESS_DEVICES.some((pattern) => coversPath(pattern, path))
  );
}

/** Not what `TMPDIR` names elsewhere: a project may set it for the agent, and would say what its commands may delete. */
function isScratch(path: string, target: PathTarget): boolean {
  return SCRATCH.some((pattern) => {
    const folder = pattern.text.slice(0, -3);
    if (!path.startsWith(`${folder}/`)) return false;
    const rest = path.slice(folder.length + 1);
    return target.known === "folder" || !/^(?:\*+|\.\*|\.\?\*|\.\[.*)$/.test(rest);
  });
}

function isIgnored(path: string, target: PathTarget, { workDir, files }: PathSetPlace): boolean {
  if (!isBelow(path, workDir)) return false;
  const wildcard = target.isGlob || target.known === "folder" ? path.search(/[*?[]/) : -1;
  // What a pattern names is ignored if its folder is.
  const asked = wildcard < 0 ? path : path.slice(0, path.lastIndexOf("/", wildcard));
  // Where only a name is known, as of what `find` finds, the list stands for git.
  const isFound = wildcard >= 0 && !/[*?[]/.test(path.slice(path.lastIndexOf("/")));
  const answer = isFound || asked === workDir ? undefined : files?.isIgnored?.(asked);
  if (answer !== undefined) return answer;
  return (isFound ? path : asked)
    .slice(workDir.length + 1)
    .split("/")
    .some((name) => IGNORED.has(name) || /\.(?:egg-info|pyc|log|tsbuildinfo)$/.test(name));
}

function isHomeWhole(path: string, target: PathTarget, { home, files }: PathSetPlace): boolean {
  if (home === undefined || target.known === "unknown") return false;
  if (isAncestorOrSelf(path, home)) return true;
  if (!path.startsWith(`${home}/`) || target.known === "folder") return false;
  const rest = path.slice(home.length + 1);
  if (/^(?:\*+|\.\*|\.\?\*|\.\[.*|\*\/.*)$/.test(rest)) return true;
  const [, name] = /^(\.[^/*]+)(?:\/\.?\*+)?$/.exec(rest) ?? [];
  if (name === undefined) return false;
  return (
    files?.isFolder?.(`${home}/${name}`) ??
    !/(?:rc|profile|history|login|logout|aliases|ignore|\.[a-z]+|\wconfig|env|hist|info|credentials|pgpass|cnf)$/.test(
      name.slice(1),
    )
  );
}

function isOtherHome(path: string, { home }: PathSetPlace): boolean {
  const [folder] = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|\/var\/root)(?=\/|$)/.exec(path) ?? [];
  return folder !== undefined && folder !== home && !(home ?? "").startsWith(`${folder}/`);
}

function isBelow(path: string, folder: string | undefined): boolean {
  // `HOME` may be empty.
  if (folder === undefined || folder === "") return false;
  return path.startsWith(folder === "/" ? folder : `${folder}/`) && path !== folder;
}

/** `X/*` and `X/.*` are ancestors only where X is one, and not the last: `./*` is asked about. */
function isAncestorOrSelf(path: string, folder: string): boolean {
  const whole = path.replace(/\/\.?\*+$/, "") || "/";
  if (whole === path) return path === folder || isBelow(folder, path);
  return isBelow(folder, whole);
}
