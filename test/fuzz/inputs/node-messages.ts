import { keys } from '@parlando/test-support/secrets/keys'
import fc from 'fast-check'
import { fuzzedNodes, likelyValues } from '../setups/nodes-flow.ts'
import { anyValue, make, type Recipe, thrown } from './odd-values.ts'
import { anyResponse, type ServiceResponse } from './service-responses.ts'

type Property = { is: Recipe } | { throws: keyof typeof thrown }

/** One message to one node, and the response to its request. */
export interface NodeCase {
  node: string
  properties: Record<string, Property>
  shape: 'plain' | 'frozen' | 'sealed' | 'without a prototype' | 'of a class'
  serviceResponse: ServiceResponse
}

export const casesAtATime = 25

const response = anyResponse(keys.service)

const anyProperty: fc.Arbitrary<Property> = fc.oneof(
  { weight: 15, arbitrary: fc.record({ is: anyValue(likelyValues) }) },
  fc.record({ throws: fc.constantFrom(...(Object.keys(thrown) as (keyof typeof thrown)[])) }),
)

/** A valid message with some properties of any value, and some unused ones. */
const anyCase: fc.Arbitrary<NodeCase> = fc
  .constantFrom(...fuzzedNodes)
  .chain(({ id, reads, good }) =>
    fc.record({
      node: fc.constant(id),
      properties: fc
        .tuple(
          fc.dictionary(
            fc.constantFrom(...reads.filter((name) => name !== '_msgid')),
            anyProperty,
            {
              maxKeys: 4,
            },
          ),
          fc.dictionary(fc.string({ maxLength: 8 }), anyProperty, { maxKeys: 2 }),
        )
        .map(([read, other]) => ({
          ...asProperties(good),
          bystander: { is: { plain: [id] } },
          ...other,
          ...read,
        })),
      shape: fc.oneof(
        { weight: 20, arbitrary: fc.constant('plain' as const) },
        fc.constantFrom('frozen', 'sealed', 'without a prototype', 'of a class'),
      ),
      serviceResponse: response,
    }),
  ) as fc.Arbitrary<NodeCase>

/** As many cases for each batch. Shrinking removes them one by one. */
export const anyBatch = fc.array(fc.option(anyCase, { nil: undefined, freq: 100_000 }), {
  minLength: casesAtATime,
  maxLength: casesAtATime,
})

function asProperties(values: Record<string, unknown>): Record<string, Property> {
  return Object.fromEntries(
    Object.entries(values).map(([name, plain]) => [name, { is: { plain } }]),
  )
}

let messages = 0

export function makeMessage({ properties, shape }: NodeCase): Record<string, unknown> {
  class Message {}
  const message =
    shape === 'of a class'
      ? new Message()
      : shape === 'without a prototype'
        ? Object.create(null)
        : {}
  for (const [name, property] of Object.entries(properties)) {
    Object.defineProperty(message, name, {
      enumerable: true,
      configurable: true,
      ...('is' in property
        ? { value: make(property.is), writable: true }
        : {
            get() {
              throw thrown[property.throws]()
            },
          }),
    })
  }
  message._msgid = `message-${++messages}`
  if (shape === 'frozen') Object.freeze(message)
  if (shape === 'sealed') Object.seal(message)
  return message
}
