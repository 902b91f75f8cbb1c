const TABLES = buildTables();

/** Returns the CRC-32 (IEEE 802.3) of `bytes` from `start` up to `end`. */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  return finishCrc(updateCrc(CRC_START, bytes, start, end));
}

export const CRC_START = -1;

/** Continues a CRC over more bytes: start with `CRC_START`, end with `finishCrc`. */
export function updateCrc(running: number, bytes: Uint8Array, start: number, end: number): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES;
  let crc = running;
  let i = start;
  for (; i + 8 <= end; i += 8) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc =
      t7[crc & 255]! ^
      t6[(crc >>> 8) & 255]! ^
      t5[(crc >>> 16) & 255]! ^
      t4[crc >>> 24]! ^
      t3[bytes[i + 4]!]! ^
      t2[bytes[i + 5]!]! ^
      t1[bytes[i + 6]!]! ^
      t0[bytes[i + 7]!]!;
  }
  for (; i < end; i++) crc = t0[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return crc;
}

export function finishCrc(running: number): number {
  return (running ^ -1) >>> 0;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Formats a CRC as eight lower-case hex digits. */
export function crcText(crc: number): string {
  return HEX[crc >>> 24]! + HEX[(crc >>> 16) & 255]! + HEX[(crc >>> 8) & 255]! + HEX[crc & 255]!;
}

type Tables = [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

function buildTables(): Tables {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  });
  const tables: Int32Array[] = [first];
  for (let k = 1; k < 8; k++) {
    const last = tables[k - 1]!;
    tables.push(last.map((crc) => first[crc & 255]! ^ (crc >>> 8)));
  }
  return tables as Tables;
}
