#!/usr/bin/env node
// Committed, because npm links a command when it installs, and what this loads is built only after that.
require("../dist/bin/tenterhook.js");
