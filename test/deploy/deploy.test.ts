import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { variableOf } from '../../packages/local-service/src/config/command-line.ts'
import { options } from '../../packages/local-service/src/options.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const read = (name: string) => readFileSync(`${deploy}${name}`, 'utf8')
/** Of any kind: the schemas check it. */
// biome-ignore lint/suspicious/noExplicitAny: the schemas check it
type Manifest = any
interface Variable {
  name: string
  value: string
}

const variables = new Map(
  Object.entries(options).map(([name, { read }]) => [
    variableOf(name),
    read as (text: string) => unknown,
  ]),
)

describe('compose.yaml', () => {
  const { services } = parse(read('compose.yaml'), { merge: true })

  it.each(['first', 'second'])('gives the service %s options that it accepts', (name) => {
    const { environment } = services[name]
    for (const [variable, value] of Object.entries<string>(environment)) {
      expect(variables.has(variable), variable).toBe(true)
      if (!value.startsWith('$'))
        expect(() => variables.get(variable)!(value), variable).not.toThrow()
    }
  })

  it('names exact versions of the images of others', () => {
    for (const { image } of [services.proxy, services.redis])
      expect(image).toMatch(/^\w+:\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/)
  })

  it('lets a service stop by itself', () => {
    const { environment, stop_grace_period } = services.first
    const delay = Number(environment.PARLANDO_LOCAL_STOP_DELAY_MS)
    const limit = Number(environment.PARLANDO_LOCAL_STOP_LIMIT_MS)
    expect(Number.parseInt(stop_grace_period, 10) * 1000).toBeGreaterThan(delay + limit)
  })

  it('has the services, and the ports, to which the proxy sends requests', () => {
    const proxy = read('haproxy.cfg')
    const servers = [...proxy.matchAll(/^ {2}server (\w+) (\w+):(\d+)$/gm)]
    for (const [, , host, port] of servers) {
      expect(services).toHaveProperty(host!)
      expect(port).toBe('8080')
    }
    expect(servers).toHaveLength(2)
    expect(proxy).toContain(`agent-port ${services.first.environment.PARLANDO_LOCAL_AGENT_PORT}`)
    expect(services.proxy.ports).toEqual(['127.0.0.1:8080:8080'])
  })

  it('keeps the time in which the proxy notices shorter than that in which a service serves on', () => {
    const [, seconds, times] = /check inter (\d+)s fall (\d+)/.exec(read('haproxy.cfg'))!
    const delay = Number(services.first.environment.PARLANDO_LOCAL_STOP_DELAY_MS)
    expect(1000 * Number(seconds) * Number(times)).toBeLessThan(delay)
  })
})

describe('the files for Kubernetes', () => {
  const manifests: { kind: string; [field: string]: unknown }[] = parseAllDocuments(
    read('kubernetes/parlando.yaml'),
  ).map((document) => document.toJS())
  const only = (kind: string) => manifests.find((manifest) => manifest.kind === kind) as Manifest
  const { kinds, definitions } = JSON.parse(
    readFileSync(new URL('kubernetes-schemas.json', import.meta.url), 'utf8'),
  )
  const ajv = new Ajv({ strict: false, validateFormats: false })

  it.each(manifests.map(({ kind }) => kind))('has a valid %s', (kind) => {
    const validate = ajv.compile({ ...kinds[kind], definitions })
    validate(only(kind))
    expect(validate.errors).toBeNull()
  })

  const [container] = only('Deployment').spec.template.spec.containers

  it('sets options that the service accepts, and gives it time to stop by itself', () => {
    const { spec } = only('Deployment').spec.template
    const values = new Map<string, string>(
      container.env.map(({ name, value }: Variable) => [name, value]),
    )
    for (const [variable, value] of values) variables.get(variable)!(value)
    const stopMs = ['DELAY', 'LIMIT'].map((what) =>
      Number(values.get(`PARLANDO_LOCAL_STOP_${what}_MS`)),
    )
    expect(1000 * spec.terminationGracePeriodSeconds).toBeGreaterThan(stopMs[0]! + stopMs[1]!)
    const { periodSeconds, failureThreshold } = container.readinessProbe
    expect(1000 * periodSeconds * failureThreshold).toBeLessThan(stopMs[0]!)
  })

  it('trusts no proxy before you name yours, with a command that the file states', () => {
    const named = (container.env as Variable[]).map(({ name }) => name)
    expect(named).not.toContain('PARLANDO_LOCAL_TRUST_PROXY')
    expect(container.envFrom).toContainEqual({ configMapRef: { name: 'parlando', optional: true } })
    const commands = read('kubernetes/parlando.yaml')
    expect(commands).toMatch(/^# +kubectl create configmap parlando .*PARLANDO_LOCAL_TRUST_PROXY=/m)
    for (const [, variable = ''] of commands.matchAll(/--from-literal=(\w+)=/g))
      expect(variables.has(variable), variable).toBe(true)
  })

  it('runs as a user without rights, on a file system that it cannot change', () => {
    expect(only('Deployment').spec.template.spec.securityContext.runAsNonRoot).toBe(true)
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  it('leave the number of pods to the autoscaler, also when they are applied again', () => {
    expect(only('Deployment').spec).not.toHaveProperty('replicas')
    const { spec } = parse(read('kubernetes/scale.yaml'))
    expect(spec.scaleTargetRef).toEqual({ name: only('Deployment').metadata.name })
    expect(spec.minReplicaCount).toBeGreaterThan(1)
  })

  it('does not kill a service because it says that it will stop', () => {
    expect(container.livenessProbe.httpGet).toBeUndefined()
  })

  it('grow with the waiting phrases, and not when Prometheus is away', () => {
    const [{ metadata }] = parse(read('kubernetes/scale.yaml')).spec.triggers
    expect(metadata).toMatchObject({
      query: 'sum(parlando_waiting_phrases)',
      ignoreNullValues: 'false',
    })
  })
})
