// Reads a shell text without running it: which simple commands it has, with their words, and which files they write to by redirection.

/**
 * The commands in their order: `{ words, written, input, pipeline }`. `{ isOpening }` stands where a group begins, or ends, that has a
 * working folder of its own.
 */
function commandsOf(text) {
  return new Reader(text).commands();
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.found = [];
    this.pipelines = 0;
    /** Texts after `<<` that begin on the next line. */
    this.awaited = [];
  }

  commands() {
    this.list();
    return this.found;
  }

  /** Reads commands up to a closing character, if there is one. */
  list(close) {
    let pipeline = ++this.pipelines;
    let command = begun(pipeline);
    const next = (isPiped = false) => {
      if (command.words.length + command.written.length > 0) this.found.push(command);
      if (!isPiped) pipeline = ++this.pipelines;
      command = begun(pipeline);
    };
    while (this.at < this.text.length) {
      const character = this.text[this.at];
      if (character === close) break;
      if (this.skips("\n")) {
        this.readAwaited();
        next();
      } else if (this.skips("\\\n") || this.skipsAll(/[^\S\n]+/y)) continue;
      else if (character === "#") this.skipsAll(/[^\n]*/y);
      else if (this.skips("(")) {
        next();
        this.group(")");
      } else if (this.skipsAll(/&?>[>|&]?/y)) {
        const target = this.target(close);
        if (!/^(?:\d+|-)$/.test(target)) command.written.push(target);
      } else if (this.skips("<<<")) command.input.push(this.target(close));
      else if (this.skipsAll(/<<-?/y)) this.awaited.push({ command, end: this.target(close) });
      else if (this.skips("<>")) command.written.push(this.target(close));
      else if (this.skipsAll(/<&?/y)) {
        if (this.skips("(")) this.group(")");
        else this.target(close);
      } else if (this.skipsAll(/\|&?(?!\|)/y)) next(true);
      else if (this.skipsAll(/[;&|)]+/y)) next();
      else {
        const word = this.word(close);
        // The number before a redirection belongs to it.
        if (!/^\d+$/.test(word) || !/[<>]/.test(this.text[this.at] ?? "")) command.words.push(word);
      }
    }
    this.at++;
    next();
  }

  group(close) {
    this.found.push({ isOpening: true });
    this.list(close);
    this.found.push({ isOpening: false });
  }

  target(close) {
    this.skipsAll(/[ \t]*/y);
    return this.word(close);
  }

  /** A word without its quotes. What it substitutes is kept as it is written, and its commands count. */
  word(close) {
    let word = "";
    while (this.at < this.text.length) {
      const character = this.text[this.at];
      if (character === close || /[\s;&|()<>]/.test(character)) break;
      this.at++;
      if (character === "'") word += this.upTo("'");
      else if (character === '"') word += this.quoted();
      else word += this.character(character);
    }
    return word;
  }

  quoted() {
    let word = "";
    while (this.at < this.text.length) {
      const character = this.text[this.at++];
      if (character === '"') break;
      word += this.character(character);
    }
    return word;
  }

  /** What a character outside of single quotes begins. */
  character(character) {
    const start = this.at - 1;
    if (character === "`") this.group("`");
    else if (character === "$" && this.skips("(")) this.group(")");
    else if (character !== "\\") return character;
    // Before a letter it separates folders, in paths of Windows.
    else if (/[\w.]/.test(this.text[this.at] ?? "")) return character;
    else if (this.text[this.at] === "\n") {
      this.at++;
      return "";
    } else return this.text[this.at++] ?? "";
    return this.text.slice(start, this.at);
  }

  upTo(end) {
    const found = this.text.indexOf(end, this.at);
    const taken = this.text.slice(this.at, found < 0 ? undefined : found);
    this.at += taken.length + 1;
    return taken;
  }

  /** The lines that `<<` asked for. */
  readAwaited() {
    for (const { command, end } of this.awaited.splice(0)) {
      const lines = [];
      while (this.at < this.text.length) {
        const line = this.upTo("\n");
        if (line.trim() === end) break;
        lines.push(line);
      }
      command.input.push(lines.join("\n"));
    }
  }

  skips(text) {
    const isNext = this.text.startsWith(text, this.at);
    if (isNext) this.at += text.length;
    return isNext;
  }

  skipsAll(pattern) {
    pattern.lastIndex = this.at;
    const [taken = ""] = pattern.exec(this.text) ?? [];
    this.at += taken.length;
    return taken !== "";
  }
}

function begun(pipeline) {
  return { words: [], written: [], input: [], pipeline };
}

module.exports = { commandsOf };
