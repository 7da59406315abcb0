import fc from 'fast-check'

/**
 * A recipe for a value. A case cannot contain the value itself: some can be used only once, and some cannot be printed.
 */
export type Recipe =
  | { plain: unknown }
  | { odd: keyof typeof oddValues }
  | { list: Recipe[] }
  | { object: Record<string, Recipe> }

/** Values that a getter throws, including unusual ones. */
export const thrown = {
  'an error': () => new Error('must not be read'),
  'an error with a code': () => Object.assign(new Error('no such file'), { code: 'ENOENT' }),
  'an error with an odd code': () => Object.assign(new Error('odd'), { code: { a: 1 } }),
  'an error without a message': () => new Error(),
  'an error that cannot be read': () => Object.defineProperty({}, 'message', { get: fail }),
  'a text': () => 'no',
  'a number': () => 7,
  'a symbol': () => Symbol('no'),
  'an object': () => ({ message: { a: 1 }, code: 5 }),
  null: () => null,
  nothing: () => undefined,
}

function fail(): never {
  throw new Error('must not be read')
}

const oddValues = {
  'a circular object': () => {
    const cycle: Record<string, unknown> = { list: [] }
    cycle['self'] = cycle
    return Object.assign(cycle, { list: [cycle] })
  },
  'an object with a getter that throws': () =>
    Object.defineProperty({ a: 1 }, 'b', { get: fail, enumerable: true }),
  'an object without a string form': () => ({
    toString: fail,
    valueOf: fail,
    [Symbol.toPrimitive]: fail,
  }),
  'an object without a prototype': () => Object.assign(Object.create(null), { a: 1 }),
  'a proxy that throws on every access': () =>
    new Proxy({}, { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail }),
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'a frozen object': () => Object.freeze({ id: 'a', audioEncoding: 'WAV' }),
  'an own __proto__': () =>
    JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {}}}'),
  'a promise that never settles': () => new Promise(() => {}),
  'a promise of text': () => Promise.resolve('Hello.'),
  // biome-ignore lint/suspicious/noThenProperty: a message may contain one
  'a thenable that never settles': () => ({ then() {} }),
  'a getter of then that throws': () =>
    Object.defineProperty({}, 'then', { get: fail, enumerable: true }),
  'a function': () => function payload() {},
  'a symbol': () => Symbol('payload'),
  'a big number': () => 10n ** 30n,
  'a huge text': () => 'All of it. '.repeat(1000),
  'a long word': () => 'a'.repeat(30_000),
  'half a surrogate pair': () => `Hello \ud83d.`,
  'a huge Buffer': () => Buffer.alloc(5 * 1024 * 1024),
  'a detached Buffer': () => {
    const bytes = new Uint8Array(8)
    structuredClone(bytes, { transfer: [bytes.buffer] })
    return bytes
  },
  'a sparse array': () => Object.assign([], { 5: 'x' }),
  // Above the limit of the client. Node-RED itself would clone each place of a longer one.
  'an array of 200,000 empty places': () => new Array(200_000),
  'an object with a huge length': () => ({ length: 2 ** 32, 0: 'x' }),
  'an array that contains itself': () => {
    const list: unknown[] = ['a']
    list.push(list)
    return list
  },
  'an object with inherited settings': () => Object.create({ audioEncoding: 'WAV', text: 'Hi.' }),
  'an array of symbols': () => [Symbol('a'), Symbol('b')],
  'a deeply nested array': () =>
    Array.from({ length: 2000 }).reduce<unknown[]>((inner) => [inner], []),
  'an array with a getter that throws': () => Object.defineProperty(['a', 'b'], 0, { get: fail }),
  'a String object': () => Object('Hello.'),
  'an error': () => new Error('as a value'),
  'a map': () => new Map([['a', 1]]),
  'an invalid date': () => new Date(Number.NaN),
  'a regular expression': () => /a/g,
  'a shared Buffer': () => new Uint8Array(new SharedArrayBuffer(8)),
  'a DataView': () => new DataView(new ArrayBuffer(8)),
}

/** Creates a new value from the recipe. */
export function make(recipe: Recipe): unknown {
  if ('odd' in recipe) return oddValues[recipe.odd]()
  if ('list' in recipe) return recipe.list.map(make)
  if ('object' in recipe) {
    return Object.fromEntries(Object.entries(recipe.object).map(([key, one]) => [key, make(one)]))
  }
  return cloned(recipe.plain)
}

/** A node may change its input, so the case needs a copy. */
function cloned(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    return value
  }
}

/** Any value. Half of the values are from `likely`, so that cases also reach deeper code. */
export function anyValue(likely: unknown[]): fc.Arbitrary<Recipe> {
  const plain = fc.record({ plain: fc.constantFrom(...likely) })
  const foreign = fc.record({
    plain: fc.anything({
      maxDepth: 1,
      maxKeys: 3,
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
    }),
  })
  const odd = fc.record({
    odd: fc.constantFrom(...(Object.keys(oddValues) as (keyof typeof oddValues)[])),
  })
  const leaf = fc.oneof({ weight: 4, arbitrary: plain }, { weight: 2, arbitrary: foreign }, odd)
  const keys = fc.constantFrom(
    'audioEncoding',
    'sampleRateHertz',
    'text',
    'role',
    'content',
    'id',
    'index',
    'count',
    'type',
    'parts',
    'buffer',
    'temperature',
    'language',
    '__proto__',
    'constructor',
    'length',
  )
  return fc.oneof(
    { weight: 8, arbitrary: leaf },
    fc.record({ list: fc.array(leaf, { maxLength: 3 }) }),
    fc.record({ object: fc.dictionary(keys, leaf, { maxKeys: 4 }) }),
  )
}
