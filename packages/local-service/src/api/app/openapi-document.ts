import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { type NamedSchema, type Operation, openAiProblem, pathsOf, problem } from './endpoint.ts'
import { endpoints } from './endpoints.ts'

type JsonSchema = Record<string, unknown>

const operations = endpoints.map(({ operation }) => operation)

/** Describes every operation of the service, as OpenAPI 3.1. */
export function describeService() {
  const schemas = describeSchemas()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    for (const path of pathsOf(operation)) {
      paths[path] = { ...paths[path], [operation.method]: describe(operation, path, schemas) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parlando local service',
      version: packageJson.version,
      description: packageJson.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:8080' }],
    paths,
    components: {
      securitySchemes: {
        basic: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Basic <key>` with the plain key, not base64, if the service has one',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key, if the service has one',
        },
      },
      schemas,
    },
  }
}

/** The schemas of all operations as JSON Schema, as a sender sees them; they refer to each other by name. */
function describeSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  const used = operations.flatMap(({ query, body, form, responses, related = [] }) => {
    const ofResponses = Object.values(responses).filter((response) => typeof response === 'object')
    return [
      ...[query, body, form].filter((schema) => schema !== undefined),
      ...ofResponses,
      ...related,
    ]
  })
  for (const { name, schema } of [...used, problem, openAiProblem]) {
    if (!registry.has(schema)) registry.add(schema, { id: name })
  }
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: 'input',
    unrepresentable: 'any',
  })
  const entries = Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [
    name,
    schema,
  ])
  return Object.fromEntries(entries)
}

const securityOf = {
  none: [],
  basic: [{}, { basic: [] }],
  'basic or bearer': [{}, { basic: [] }, { bearer: [] }],
} satisfies Record<Operation['key'], unknown>

function describe(
  operation: Operation,
  path: string,
  schemas: Record<string, JsonSchema>,
): unknown {
  const { summary, key, query, headers, body, bodyExample, form, responses } = operation
  const { status = 200 } = operation
  const error = path.startsWith('/v1/') ? openAiProblem : problem
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(query ? queryParameters(schemas[query.name] ?? {}) : []),
    ...Object.entries(headers ?? {}).map(([name, about]) => ({ name, in: 'header', ...about })),
  ]
  return {
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...((body || form) && {
      requestBody: {
        required: true,
        content: { ...(body && json(body, bodyExample)), ...(form && formOf(form)) },
      },
    }),
    security: securityOf[key],
    responses: {
      [status]: {
        description: status < 400 ? 'Success' : summary,
        ...((query || body || form) && { headers: ignoredHeader }),
        content: contentOf(responses),
      },
      default: { description: 'The reason for the failure', content: json(error) },
    },
  }
}

const ignoredHeader = {
  'X-Parlando-Ignored': {
    description: 'Unknown fields, and fields with an unknown value, that the service ignored',
    schema: { type: 'string' },
  },
}

function queryParameters({ properties = {}, required = [] }: JsonSchema): unknown[] {
  return Object.entries(properties as Record<string, unknown>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name),
    schema,
  }))
}

function contentOf(responses: Operation['responses']): unknown {
  const entries = Object.entries(responses).map(([mediaType, response]) => {
    if (response === 'bytes') return [mediaType, {}]
    const schema = response === 'text' ? { type: 'string' } : reference(response)
    return [mediaType, { schema }]
  })
  return Object.fromEntries(entries)
}

const json = (schema: NamedSchema, example?: object) => ({
  'application/json': { schema: reference(schema), ...(example && { example }) },
})

const formOf = (schema: NamedSchema) => ({
  'multipart/form-data': { schema: reference(schema) },
})

const reference = ({ name }: NamedSchema) => ({ $ref: `#/components/schemas/${name}` })
