/** Variables that steer a program, by what they steer. A name that ends with `*` stands for all that begin like it. */
export interface VariableFamily {
  readonly steers: string;
  readonly names: readonly string[];
  /** Steers also Node and what Node is built on, so it must not reach the bridge either. */
  readonly isOfHost?: true;
}

/**
 * What a hook's process does not get. A project can set variables in some coding agents, and each of these makes a program load code, read
 * other settings, or fail. Whole families: lists of names miss what the next version of a program reads.
 */
export const FAMILIES: readonly VariableFamily[] = [
  { steers: "the dynamic loader", isOfHost: true, names: ["LD_*", "DYLD_*"] },
  { steers: "other dynamic loaders", names: ["_RLD*", "LIBPATH"] },
  {
    // What glibc itself removes for programs with more rights (unsecvars.h), and what other C libraries read.
    steers: "the C library",
    isOfHost: true,
    names: [
      ...["GLIBC_TUNABLES", "GCONV_PATH", "HOSTALIASES", "LOCALDOMAIN", "LOCPATH", "MALLOC_*", "NLSPATH"],
      ...["RES_OPTIONS", "RESOLV_*", "TZDIR", "MUSL_LOCPATH", "POSIXLY_CORRECT"],
    ],
  },
  {
    steers: "the C library's tools",
    names: [
      ...["GETCONF_DIR", "NIS_PATH", "LIBC_FATAL_STDERR_", "ASAN_OPTIONS", "LSAN_OPTIONS", "MSAN_OPTIONS"],
      ...["TSAN_OPTIONS", "UBSAN_OPTIONS"],
    ],
  },
  { steers: "OpenSSL", isOfHost: true, names: ["OPENSSL_*", "SSLKEYLOGFILE"] },
  { steers: "TLS libraries", names: ["CTLOG_FILE", "GNUTLS_*", "P11_KIT_*"] },
  { steers: "Node.js", isOfHost: true, names: ["NODE_*", "UV_*", "ICU_DATA"] },
  {
    steers: "other runtimes of JavaScript",
    names: ["TS_NODE_*", "TSX_*", "DENO_*", "BUN_*", "ESBUILD_*"],
  },
  {
    steers: "npm",
    names: [
      ...["npm_config_*", "NPM_CONFIG_*", "npm_execpath", "npm_node_execpath", "pnpm_config_*"],
      ...["PNPM_CONFIG_*", "YARN_*", "COREPACK_*"],
    ],
  },
  {
    steers: "shells",
    names: [
      ...["BASH*", "ENV", "ZDOTDIR", "SHELLOPTS", "IFS", "PS0", "PS4", "PROMPT_COMMAND", "CDPATH", "FPATH"],
      ...["GLOBIGNORE", "EXECIGNORE", "FIGNORE", "FUNCNEST", "TMOUT", "OPTIND", "OPTERR", "NULLCMD"],
      ...["READNULLCMD", "TIMEFORMAT", "INPUTRC", "KSH*", "MKSH*", "fish_*", "__fish_*"],
    ],
  },
  {
    steers: "Python",
    names: ["PYTHON*", "__PYVENV_LAUNCHER__", "PYLAUNCHER_*", "PY_PYTHON*", "PIP_*", "PYENV_*"],
  },
  { steers: "Perl", names: ["PERL*", "PLENV_*"] },
  {
    steers: "Ruby",
    names: ["RUBY*", "JRUBY*", "GEM_*", "BUNDLE_*", "BUNDLER_*", "RBENV_*", "RVM_*", "rvm_*", "IRBRC"],
  },
  { steers: "PHP", names: ["PHP*"] },
  { steers: "Lua", names: ["LUA_*"] },
  { steers: "R", names: ["R_*"] },
  {
    steers: "Java",
    names: [
      "JAVA_TOOL_OPTIONS",
      "_JAVA_OPTIONS",
      "JDK_JAVA_OPTIONS",
      "JAVA_OPTS",
      "CLASSPATH",
      "IBM_JAVA_OPTIONS",
      "OPENJ9_JAVA_OPTIONS",
    ],
  },
  {
    steers: "Go",
    names: ["GOFLAGS", "GOENV", "GODEBUG", "GOTOOLCHAIN", "GOTRACEBACK", "GOGC", "GOMEMLIMIT", "GOCOVERDIR"],
  },
  { steers: "Rust", names: ["RUSTC*", "RUSTFLAGS", "RUSTUP_TOOLCHAIN", "RUST_MIN_STACK", "CARGO_BUILD_*"] },
  { steers: ".NET", names: ["DOTNET_*", "CORECLR_*", "COMPlus_*", "PSModulePath"] },
  { steers: "git", names: ["GIT_*", "HG*"] },
  {
    steers: "version managers",
    names: ["ASDF_*", "MISE_*", "NVM_*", "FNM_*", "NODENV_*", "VOLTA_*", "GOENV_*", "JENV_*"],
  },
  {
    steers: "command-line tools",
    names: [
      ...["_POSIX*", "GREP_*", "AWKPATH", "AWKLIBPATH", "GAWK*", "TAR_OPTIONS", "GZIP", "XZ_*", "ZSTD_*"],
      ...["CURL_*", "WGETRC", "LESS*", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "MFLAGS", "TEXTDOMAIN*"],
      ...["OUTPUT_CHARSET", "QUOTING_STYLE", "BLOCK_SIZE", "BLOCKSIZE", "GETOPT_COMPATIBLE"],
    ],
  },
];

/** Members of a family that tools need and that steer nothing. */
export const HARMLESS: readonly string[] = [
  ...["NODE_ENV", "NODE_VERSION", "DOTNET_ROOT", "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT"],
  "DOTNET_CLI_TELEMETRY_OPTOUT",
];

/** Lists of folders that code is loaded from. They lose relative folders and folders of the project. */
export const PATH_LISTS: readonly string[] = [
  ...[
    "NODE_PATH",
    "PYTHONPATH",
    "PERL5LIB",
    "PERLLIB",
    "RUBYLIB",
    "GEM_PATH",
    "CLASSPATH",
    "LD_LIBRARY_PATH",
  ],
  ...["DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS"],
];

/** Files and folders that tools read. Only one that exists outside the project is passed on. */
export const PATHS: readonly string[] = [
  ...[
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "PIP_CERT",
  ],
  ...["GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "AWS_CA_BUNDLE", "DENO_CERT", "npm_config_cafile"],
  ...["NPM_CONFIG_CAFILE", "CARGO_HTTP_CAINFO", "PERL_LWP_SSL_CA_FILE", "PERL_LWP_SSL_CA_PATH"],
  ...["TMPDIR", "TMP", "TEMP", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"],
  ...[
    "XDG_RUNTIME_DIR",
    "GEM_HOME",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "NODENV_ROOT",
    "NVM_DIR",
    "FNM_DIR",
    "VOLTA_HOME",
  ],
  ...["ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "TERMINFO", "GNUPGHOME"],
];

/** Name a language. A value that is none makes Node crash. */
export const LANGUAGES: readonly string[] = [
  ...[
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_MESSAGES",
    "LC_CTYPE",
    "LC_COLLATE",
    "LC_NUMERIC",
    "LC_TIME",
    "LC_MONETARY",
  ],
  ...["LC_PAPER", "LC_NAME", "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION"],
];

/** Whether a value can be that of a language: a name such as de_DE.UTF-8, or a list of them, and no path. */
export function isLanguage(value: string): boolean {
  return /^[A-Za-z0-9_.@:-]{1,100}$/.test(value);
}

/**
 * The installed bridge's script gives the members of the host's families this prefix, so that they do not steer the bridge; a hook may
 * still name one. Without it they count as what they are called.
 */
export const SET_ASIDE = "TENTERHOOK_SET_ASIDE_";

/** The variable in which that script names the variables that it has dropped for their length. */
export const DROPPED = "TENTERHOOK_DROPPED";
