import packageJson from '../../../package.json' with { type: 'json' }
import { type Operation, operations } from './operations.ts'
import { describeSchemas } from './schemas.ts'

type Schemas = ReturnType<typeof describeSchemas>

/** What the service understands, as OpenAPI 3.1. */
export function describeService() {
  const schemas = describeSchemas()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describe(operation, schemas),
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
          description: '`Basic <key>`, the key as it is, where the service has one',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The key, where the service has one',
        },
      },
      schemas,
    },
  }
}

const securityOf = {
  none: [],
  basic: [{}, { basic: [] }],
  'basic or bearer': [{}, { basic: [] }, { bearer: [] }],
} satisfies Record<Operation['key'], unknown>

function describe(operation: Operation, schemas: Schemas): unknown {
  const { summary, key, path, query, body, answers, status = 200 } = operation
  const problem = path.startsWith('/v1/') ? 'OpenAiProblem' : 'Problem'
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...parametersOf(query === undefined ? undefined : schemas[query]),
  ]
  return {
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    security: securityOf[key],
    responses: {
      [status]: { description: status < 400 ? 'Done' : summary, content: contentOf(answers) },
      default: { description: 'Why it was not done', content: json(problem) },
    },
  }
}

function parametersOf(schema: Schemas[string] | undefined): unknown[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function contentOf(answers: Operation['answers']): unknown {
  const entries = Object.entries(answers).map(([mediaType, answer]) => {
    if (answer === 'bytes') return [mediaType, {}]
    const schema = answer === 'text' ? { type: 'string' } : refer(answer)
    return [mediaType, { schema }]
  })
  return Object.fromEntries(entries)
}

const json = (schema: string) => ({ 'application/json': { schema: refer(schema) } })

const refer = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })
