/**
 * Builds MiniLM as an ONNX model from its weights, because the package with the weights contains no
 * model file. The texts in a batch have the same number of pieces, so the model needs no mask.
 */
const HEADS = 12;
const EPSILON = 1e-12;
const FLOAT = 1;
const INT32 = 6;
const CONTRIB = 'com.microsoft';

/**
 * Returns a function that reads a tensor by name as {shape, values}; its method `has` reports
 * whether the tensor exists.
 * @param {Buffer} safetensors half-precision weights of a BERT model
 */
export function createWeights(safetensors) {
  const headerLength = Number(safetensors.readBigUInt64LE(0));
  const header = JSON.parse(safetensors.toString('utf8', 8, 8 + headerLength));
  const read = (name) => {
    const { dtype, shape, data_offsets: offsets } = header[name];
    if (dtype !== 'F16') throw new Error(`${name} is ${dtype}, not F16.`);
    const [from, to] = offsets.map((offset) => offset + 8 + headerLength);
    const values = new Float32Array((to - from) / 2);
    for (let index = 0; index < values.length; index++)
      values[index] = halfToNumber(safetensors.readUInt16LE(from + 2 * index));
    return { shape, values };
  };
  return Object.assign(read, { has: (name) => name in header });
}

function halfToNumber(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/**
 * Returns the bytes of a model that maps `ids` (int32, batch x length) to `mean` (float, batch x
 * width), the mean of the last layer's states.
 */
export function createModel(weights) {
  const nodes = [];
  const initializers = [];
  const keep = (name, { shape, values }) => (initializers.push(tensor(name, shape, values)), name);
  const same = (name) => keep(name, weights(name));
  const add = (type, inputs, output, attributes = [], domain = CONTRIB) => {
    const outputs = type === 'EmbedLayerNormalization' ? [output, 'unused mask'] : [output];
    nodes.push(node(type, inputs, outputs, attributes, domain));
    return output;
  };
  const epsilon = floatAttribute('epsilon', EPSILON);
  const norm = (name) => [same(`${name}.LayerNorm.weight`), same(`${name}.LayerNorm.bias`)];

  let state = add(
    'EmbedLayerNormalization',
    [
      'ids',
      '',
      same('embeddings.word_embeddings.weight'),
      keep('positions', withFirstType(weights)),
      '',
      ...norm('embeddings'),
    ],
    'embedded',
    [epsilon],
  );
  for (let layer = 0; weights.has(`encoder.layer.${layer}.output.dense.bias`); layer++) {
    const at = `encoder.layer.${layer}`;
    const attention = ['query', 'key', 'value'].map((part) => `${at}.attention.self.${part}`);
    const joined = joinColumns(attention.map((name) => transposed(weights(`${name}.weight`))));
    const bias = attention.flatMap((name) => [...weights(`${name}.bias`).values]);
    const attended = add(
      'Attention',
      [
        state,
        keep(`${at}.qkv`, joined),
        keep(`${at}.qkv.bias`, { shape: [bias.length], values: Float32Array.from(bias) }),
      ],
      `${at}.attended`,
      [intAttribute('num_heads', HEADS)],
    );
    const times = (input, name) =>
      add(
        'MatMul',
        [input, keep(name, transposed(weights(`${name}.weight`)))],
        `${name}.product`,
        [],
        '',
      );
    const skip = (input, name) =>
      add(
        'SkipLayerNormalization',
        [input, state, ...norm(name), same(`${name}.dense.bias`)],
        `${name}.state`,
        [epsilon],
      );
    state = skip(times(attended, `${at}.attention.output.dense`), `${at}.attention.output`);
    const inner = add(
      'BiasGelu',
      [times(state, `${at}.intermediate.dense`), same(`${at}.intermediate.dense.bias`)],
      `${at}.inner`,
    );
    state = skip(times(inner, `${at}.output.dense`), `${at}.output`);
  }
  add('ReduceMean', [state], 'mean', [intsAttribute('axes', [1]), intAttribute('keepdims', 0)], '');

  const graph = [
    ...nodes.map((bytes) => field(1, bytes)),
    field(2, text('minilm')),
    ...initializers.map((bytes) => field(5, bytes)),
    field(11, valueInfo('ids', INT32, ['batch', 'length'])),
    field(12, valueInfo('mean', FLOAT, ['batch', 'width'])),
  ];
  const sets = [opset('', 17), opset(CONTRIB, 1)];
  return Buffer.concat([
    number(1, 8),
    ...sets.map((bytes) => field(8, bytes)),
    field(7, Buffer.concat(graph)),
  ]);
}

/**
 * Position vectors plus the vector of the first segment, because every text here is a first
 * segment.
 */
function withFirstType(weights) {
  const positions = weights('embeddings.position_embeddings.weight');
  const types = weights('embeddings.token_type_embeddings.weight');
  const width = types.shape[1];
  return {
    shape: positions.shape,
    values: positions.values.map((value, index) => value + types.values[index % width]),
  };
}

function transposed({ shape: [rows, columns], values }) {
  const turned = new Float32Array(values.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned[column * rows + row] = values[row * columns + column];
  return { shape: [columns, rows], values: turned };
}

function joinColumns(parts) {
  const [rows, columns] = parts[0].shape;
  const values = new Float32Array(rows * columns * parts.length);
  for (let row = 0; row < rows; row++)
    for (const [part, { values: own }] of parts.entries())
      values.set(
        own.subarray(row * columns, (row + 1) * columns),
        (row * parts.length + part) * columns,
      );
  return { shape: [rows, columns * parts.length], values };
}

// The ONNX protocol buffer messages that the model needs, with the numbers from onnx.proto.

const text = (value) => Buffer.from(value, 'utf8');
const number = (key, value) => Buffer.concat([varint(key << 3), varint(value)]);
const field = (key, bytes) => Buffer.concat([varint((key << 3) | 2), varint(bytes.length), bytes]);
const opset = (domain, version) => Buffer.concat([field(1, text(domain)), number(2, version)]);
const attribute = (name, type, bytes) =>
  Buffer.concat([field(1, text(name)), number(20, type), bytes]);
const intAttribute = (name, value) => attribute(name, 2, number(3, value));
const intsAttribute = (name, values) =>
  attribute(name, 7, Buffer.concat(values.map((value) => number(8, value))));

function varint(value) {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

function floatAttribute(name, value) {
  const bytes = Buffer.alloc(5);
  bytes[0] = (2 << 3) | 5;
  bytes.writeFloatLE(value, 1);
  return attribute(name, 1, bytes);
}

function node(type, inputs, outputs, attributes, domain) {
  return Buffer.concat([
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(4, text(type)),
    ...attributes.map((bytes) => field(5, bytes)),
    field(7, text(domain)),
  ]);
}

function tensor(name, shape, values) {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return Buffer.concat([
    ...shape.map((size) => number(1, size)),
    number(2, FLOAT),
    field(8, text(name)),
    field(9, raw),
  ]);
}

function valueInfo(name, type, dimensions) {
  const shape = Buffer.concat(dimensions.map((dimension) => field(1, field(2, text(dimension)))));
  return Buffer.concat([
    field(1, text(name)),
    field(2, field(1, Buffer.concat([number(1, type), field(2, shape)]))),
  ]);
}
