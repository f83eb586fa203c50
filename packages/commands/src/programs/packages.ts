import { interpret } from "./interpreters.ts";
import type { Call, Programs, Row } from "./row.ts";

/** Packages that are named: without a name, those of the project are installed. */
const INSTALL: Row = { run: installPackages };
const PUBLISH: Row = { effects: "publish.package", harmless: "dry-run n" };
const UNPUBLISH: Row = { effects: "publish.delete", operands: "name*", harmless: "dry-run" };
const START: Row = {
  style: "posix",
  values: "p package c=code call=code from with python",
  run: startPackage,
};
const SERVICE: Row = { effects: "service", operands: "name*" };
const PIP_VALUES =
  "r requirement c constraint i index-url extra-index-url t target e editable f find-links prefix root platform python-version " +
  "group extra source p python";

const OF_JAVASCRIPT: Row = {
  values: "prefix registry tag workspace otp loglevel userconfig cache filter F C dir cwd access",
  commands: {
    "install i add in ins isntall": INSTALL,
    publish: PUBLISH,
    unpublish: UNPUBLISH,
    deprecate: PUBLISH,
    "exec x dlx": START,
    global: { commands: { add: INSTALL } },
    npm: { commands: { publish: PUBLISH } },
  },
};

/** Package managers, and programs that publish. */
export const PACKAGES: Programs = {
  "npm pnpm yarn cnpm": OF_JAVASCRIPT,
  bun: { ...OF_JAVASCRIPT, values: "e eval p print", run: runScript },
  "npx pnpx bunx uvx": START,
  "pip pipx uv poetry pdm pipenv rye hatch flit twine conda mamba micromamba pixi easy_install": {
    values: `${PIP_VALUES} n name channel username password repository repository-url`,
    commands: {
      "install add inject": INSTALL,
      "publish upload": PUBLISH,
      run: START,
      env: { commands: { activate: { prints: "own" } } },
      "pip tool self global": { commands: { "install add": INSTALL, run: START } },
    },
  },
  "cargo gem go composer opam luarocks cabal stack cpan cpanm mix": {
    values:
      "git path branch rev tag features manifest-path root profile version v s source p package registry token index C",
    commands: {
      "install add get require": INSTALL,
      "publish push": PUBLISH,
      yank: {
        switches: "undo",
        harmless: "undo",
        run: (call) => call.effectOn("publish.delete", ...call.operands),
      },
      owner: { switches: "remove", when: { "r remove": UNPUBLISH } },
      global: { commands: { require: INSTALL } },
      "hex.publish": PUBLISH,
    },
  },
  bundle: { commands: { exec: START, add: INSTALL } },
  dotnet: {
    commands: {
      add: { commands: { package: INSTALL } },
      tool: { commands: { install: INSTALL } },
      nuget: { commands: { push: PUBLISH, delete: UNPUBLISH } },
    },
  },
  "vsce ovsx lerna changeset goreleaser semantic-release mvn pod": {
    commands: {
      "publish release deploy": PUBLISH,
      unpublish: UNPUBLISH,
      trunk: { commands: { push: PUBLISH, delete: UNPUBLISH } },
    },
  },
  "gradle gradlew": {
    run: (call) => {
      if (call.operands.some((task) => /(?:^|:)publish(?!ToMavenLocal)/.test(task)))
        call.effect("publish.package");
    },
  },
  "apt apt-get aptitude dnf yum microdnf zypper brew port apk snap flatpak choco scoop winget mas nix asdf mise":
    {
      values: "t target-release o option c config-file installroot releasever channel",
      harmless: "s simulate dry-run just-print no-act recon d download-only",
      commands: {
        "install add in reinstall use": INSTALL,
        "cask profile plugin": { commands: { "install add": INSTALL } },
        services: { commands: { "start stop restart run kill": SERVICE } },
      },
    },
  "pacman yay paru": {
    harmless: "s search i info l list g groups p print",
    when: { "S U sync upgrade": { run: installPackages } },
  },
  "dpkg rpm nix-env": {
    values: "A attr root",
    harmless: "l list s status L listfiles q query",
    when: { "i install U upgrade A": { run: installPackages } },
  },
};

/** A name without an ending is a command of its own. */
function runScript(call: Call): void {
  if (!/^\w+$/.test(call.operands[0] ?? "")) interpret(call, "e eval p print");
}

/** `npx name@version words`. */
function startPackage(call: Call): void {
  const [name, ...words] = call.operands;
  if (name !== undefined) call.print(call.start([name.replace(/(?<=.)@[^/]*$/, ""), ...words]));
}

/** What lies on this machine is no new package. */
function installPackages(call: Call): void {
  const names = [...call.operands, ...call.values("A attr")].filter(
    (name) => !/^(?:\.|\/|~|file:)/.test(name),
  );
  if (names.length > 0) call.effectOn("install", ...names);
}
