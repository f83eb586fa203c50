/** The same guard in each interpreter: it refuses a command with FORBIDDEN in it. Each uses what guards commonly use. */
export const GUARDS = {
  sh: {
    file: "run.sh",
    content: `#!/bin/sh
input=$(cat)
is_forbidden() { printf '%s\\n' "$1" | grep -q FORBIDDEN; }
cd "$TENTERHOOK_PROJECT_DIR" || exit 1
if is_forbidden "$input"; then echo denied >&2; exit 2; fi
`,
  },
  bash: {
    file: "run.sh",
    content: `#!/usr/bin/env bash
set -euo pipefail
input=$(cat)
outer() { inner "$@"; }
inner() { while read -r line; do [[ $line =~ FORBIDDEN ]] && return 0; done <<< "$1"; return 1; }
cd "$TENTERHOOK_PROJECT_DIR"
if outer "$input"; then echo denied >&2; exit 2; fi
`,
  },
  python: {
    file: "run.py",
    content: `#!/usr/bin/env python3
import hashlib, json, re, sys, tempfile

def is_forbidden(event):
    try:
        assert not re.search("FORBIDDEN", event["tool_input"]["command"])
    except AssertionError:
        return True
    return False

hashlib.sha256(b"x").hexdigest()
with tempfile.TemporaryFile() as file:
    file.write(b"x")
if is_forbidden(json.load(sys.stdin)):
    sys.stderr.write("denied")
    sys.exit(2)
`,
  },
  node: {
    file: "run.js",
    content: `const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
createHash("sha256").update("x").digest("hex");
if (/FORBIDDEN/.test(JSON.parse(readFileSync(0, "utf8")).tool_input.command)) {
  process.stderr.write("denied");
  process.exitCode = 2;
}
`,
  },
  perl: {
    file: "run",
    content: `#!/usr/bin/env perl
use strict;
use warnings;
use JSON::PP;
use Digest::SHA;
my $event = decode_json(do { local $/; <STDIN> });
if ($event->{tool_input}{command} =~ /FORBIDDEN/) { print STDERR "denied"; exit 2; }
`,
  },
} as const;

export type Language = keyof typeof GUARDS;

export const LANGUAGES = Object.keys(GUARDS) as readonly Language[];
