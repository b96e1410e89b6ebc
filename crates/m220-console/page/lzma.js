// Unpacks LZMA, a quarter smaller than what the browsers themselves unpack: a page of one file has its module so. It
// stands before the worker's text. The format and the names are those of the LZMA specification, by Igor Pavlov.

/** The content of an `.lzma` file whose header tells its size, below 4 GB. Damage gives other bytes, never more. */
function unpackedLzma(packed) {
  const head = new DataView(packed.buffer, packed.byteOffset);
  const [properties, size, from] = [packed[0], head.getUint32(5, true), 13];
  const lc = properties % 9;
  const lpMask = (1 << Math.floor(properties / 9) % 5) - 1;
  const pbMask = (1 << Math.floor(properties / 45)) - 1;
  const out = new Uint8Array(size);
  let filled = 0;

  // The range decoder. A probability that the next bit is 0 has 11 bits.
  let at = from + 5;
  // Numbers of 32 bits, kept as such.
  const coder = Uint32Array.of(0xffffffff, head.getUint32(from + 1));
  const refill = () => {
    if (coder[0] >= 0x1000000) return;
    coder[0] <<= 8;
    coder[1] = (coder[1] << 8) | packed[at++];
  };
  const bit = (odds, index) => {
    const odd = odds[index];
    const bound = (coder[0] >>> 11) * odd;
    const is = coder[1] < bound ? 0 : 1;
    if (is === 0) {
      coder[0] = bound;
      odds[index] = odd + ((2048 - odd) >> 5);
    } else {
      coder[0] -= bound;
      coder[1] -= bound;
      odds[index] = odd - (odd >> 5);
    }
    refill();
    return is;
  };
  const tree = (odds, first, bits) => {
    let path = 1;
    for (let depth = 0; depth < bits; depth++) path = 2 * path + bit(odds, first + path);
    return path - (1 << bits);
  };
  const reverse = (odds, first, bits) => {
    let [path, value] = [1, 0];
    for (let depth = 0; depth < bits; depth++) {
      const is = bit(odds, first + path);
      path = 2 * path + is;
      value |= is << depth;
    }
    return value;
  };
  const direct = (bits) => {
    let value = 0;
    for (let depth = 0; depth < bits; depth++) {
      coder[0] >>>= 1;
      const is = coder[1] < coder[0] ? 0 : 1;
      if (is === 1) coder[1] -= coder[0];
      value = 2 * value + is;
      refill();
    }
    return value;
  };

  const even = (count) => new Uint16Array(count).fill(1024);
  const lengths = () => ({ choice: even(2), low: even(128), mid: even(128), high: even(256) });
  const length = ({ choice, low, mid, high }, place) => {
    if (bit(choice, 0) === 0) return 2 + tree(low, place << 3, 3);
    if (bit(choice, 1) === 0) return 10 + tree(mid, place << 3, 3);
    return 18 + tree(high, 0, 8);
  };
  const literals = even(0x300 << (lc + 4));
  const [isMatch, isRep0Long, isRep, isRepG0, isRepG1, isRepG2] = [192, 192, 12, 12, 12, 12].map(even);
  const [posSlot, posSpecial, posAlign] = [256, 128, 16].map(even);
  const [matchLengths, repLengths] = [lengths(), lengths()];
  let [state, rep0, rep1, rep2, rep3] = [0, 0, 0, 0, 0];

  const literal = () => {
    const first = 0x300 * (((filled & lpMask) << lc) + ((out[filled - 1] ?? 0) >> (8 - lc)));
    let path = 1;
    if (state >= 7) {
      for (let match = out[filled - rep0 - 1]; path < 0x100;) {
        match = (match & 0xff) << 1;
        const wanted = match >> 8;
        const is = bit(literals, first + ((1 + wanted) << 8) + path);
        path = 2 * path + is;
        if (is !== wanted) break;
      }
    }
    while (path < 0x100) path = 2 * path + bit(literals, first + path);
    out[filled++] = path;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  };
  const distance = (count) => {
    const slot = tree(posSlot, Math.min(count - 2, 3) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = ((2 | (slot & 1)) << bits) >>> 0;
    if (slot < 14) return base + reverse(posSpecial, base - slot, bits);
    return base + direct(bits - 4) * 16 + reverse(posAlign, 0, 4);
  };

  while (filled < size) {
    const place = filled & pbMask;
    const pair = (state << 4) + place;
    if (bit(isMatch, pair) === 0) {
      literal();
      continue;
    }
    let count = 1;
    if (bit(isRep, state) === 0) {
      [rep3, rep2, rep1] = [rep2, rep1, rep0];
      count = length(matchLengths, place);
      rep0 = distance(count);
      state = state < 7 ? 7 : 10;
    } else {
      let isOne = false;
      if (bit(isRepG0, state) === 0) isOne = bit(isRep0Long, pair) === 0;
      else if (bit(isRepG1, state) === 0) [rep0, rep1] = [rep1, rep0];
      else if (bit(isRepG2, state) === 0) [rep0, rep1, rep2] = [rep2, rep0, rep1];
      else [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
      if (!isOne) count = length(repLengths, place);
      state = state >= 7 ? 11 : isOne ? 9 : 8;
    }
    for (const end = Math.min(filled + count, size); filled < end; filled++) out[filled] = out[filled - rep0 - 1];
  }
  return out;
}
