/** Fractional parts of the square roots of the first primes: FIPS 180-4. */
const FIRST = Int32Array.of(
  0x6a09_e667,
  0xbb67_ae85,
  0x3c6e_f372,
  0xa54f_f53a,
  0x510e_527f,
  0x9b05_688c,
  0x1f83_d9ab,
  0x5be0_cd19,
);

/** The same of their cube roots. */
const ROUND = Int32Array.of(
  0x428a_2f98,
  0x7137_4491,
  0xb5c0_fbcf,
  0xe9b5_dba5,
  0x3956_c25b,
  0x59f1_11f1,
  0x923f_82a4,
  0xab1c_5ed5,
  0xd807_aa98,
  0x1283_5b01,
  0x2431_85be,
  0x550c_7dc3,
  0x72be_5d74,
  0x80de_b1fe,
  0x9bdc_06a7,
  0xc19b_f174,
  0xe49b_69c1,
  0xefbe_4786,
  0x0fc1_9dc6,
  0x240c_a1cc,
  0x2de9_2c6f,
  0x4a74_84aa,
  0x5cb0_a9dc,
  0x76f9_88da,
  0x983e_5152,
  0xa831_c66d,
  0xb003_27c8,
  0xbf59_7fc7,
  0xc6e0_0bf3,
  0xd5a7_9147,
  0x06ca_6351,
  0x1429_2967,
  0x27b7_0a85,
  0x2e1b_2138,
  0x4d2c_6dfc,
  0x5338_0d13,
  0x650a_7354,
  0x766a_0abb,
  0x81c2_c92e,
  0x9272_2c85,
  0xa2bf_e8a1,
  0xa81a_664b,
  0xc24b_8b70,
  0xc76c_51a3,
  0xd192_e819,
  0xd699_0624,
  0xf40e_3585,
  0x106a_a070,
  0x19a4_c116,
  0x1e37_6c08,
  0x2748_774c,
  0x34b0_bcb5,
  0x391c_0cb3,
  0x4ed8_aa4a,
  0x5b9c_ca4f,
  0x682e_6ff3,
  0x748f_82ee,
  0x78a5_636f,
  0x84c8_7814,
  0x8cc7_0208,
  0x90be_fffa,
  0xa450_6ceb,
  0xbef9_a3f7,
  0xc671_78f2,
);

/** The SHA-256 of a text's UTF-8, in hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = Buffer.from(text);
  const padded = Buffer.alloc((Math.floor((bytes.length + 8) / 64) + 1) * 64);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeUInt32BE(bytes.length * 8, padded.length - 4);
  const state = FIRST.slice();
  for (let at = 0; at < padded.length; at += 64) addBlock(state, padded, at);
  const digest = Buffer.alloc(32);
  state.forEach((word, index) => void digest.writeInt32BE(word, index * 4));
  return digest.toString("hex");
}

/** It runs a few times in a process and is never optimised, so its loops allocate nothing. */
function addBlock(state: Int32Array, bytes: Buffer, at: number): void {
  const words = new Int32Array(64);
  for (let index = 0; index < 16; index++) words[index] = bytes.readInt32BE(at + index * 4);
  for (let index = 16; index < 64; index++) {
    const far = words[index - 15] as number;
    const near = words[index - 2] as number;
    const one = rotated(far, 7) ^ rotated(far, 18) ^ (far >>> 3);
    const other = rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10);
    words[index] = (words[index - 16] as number) + one + (words[index - 7] as number) + other;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const chosen = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const next = (h + high + chosen + (ROUND[index] as number) + (words[index] as number)) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + next) | 0;
    d = c;
    c = b;
    b = a;
    a = (next + low + majority) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    state[index] = (state[index] as number) + value;
  });
}

function rotated(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}
