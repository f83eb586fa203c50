/** Fractional parts of roots of the first primes, which FIPS 180-4 begins with: of square roots, and of cube roots. */
const [FIRST, ROUND] = constants();

/** The SHA-256 of a text's UTF-8, in hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = Buffer.from(text);
  const padded = Buffer.alloc((Math.floor((bytes.length + 8) / 64) + 1) * 64);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeUInt32BE(bytes.length * 8, padded.length - 4);
  const state = FIRST.slice(0, 8);
  for (let at = 0; at < padded.length; at += 64) addBlock(state, padded, at);
  const digest = Buffer.alloc(32);
  state.forEach((word, index) => void digest.writeInt32BE(word, index * 4));
  return digest.toString("hex");
}

function addBlock(state: Int32Array, bytes: Buffer, at: number): void {
  const words = new Int32Array(64);
  const word = (index: number) => words[index] ?? 0;
  for (let index = 0; index < 16; index++) words[index] = bytes.readInt32BE(at + index * 4);
  for (let index = 16; index < 64; index++) {
    const [far, near] = [word(index - 15), word(index - 2)];
    const one = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    const other = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    words[index] = word(index - 16) + one + word(index - 7) + other;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const chosen = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const next = (h + high + chosen + (ROUND[index] ?? 0) + word(index)) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + next) | 0, c, b, a, (next + low + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = (state[index] ?? 0) + value;
  });
}

function turned(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}

function constants(): readonly [Int32Array, Int32Array] {
  const [squares, cubes] = [new Int32Array(64), new Int32Array(64)];
  for (let candidate = 2, count = 0; count < 64; candidate++) {
    if (!isPrime(candidate)) continue;
    squares[count] = fraction(candidate ** (1 / 2));
    cubes[count++] = fraction(candidate ** (1 / 3));
  }
  return [squares, cubes];
}

function isPrime(number: number): boolean {
  for (let factor = 2; factor * factor <= number; factor++) if (number % factor === 0) return false;
  return true;
}

function fraction(root: number): number {
  return (root - Math.floor(root)) * 2 ** 32;
}
