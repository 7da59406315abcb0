import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@parlando/core'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { connectSocket } from '@parlando/test-support/local-service/clients/socket-client'
import { findProgram, needs } from '@parlando/test-support/programs/installed-programs'
import { freePort } from '@parlando/test-support/servers/addresses'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

interface Dashboard {
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[]
}

const dashboardPath = new URL('../../deploy/grafana-dashboard.json', import.meta.url)
const dashboard: Dashboard = JSON.parse(await readFile(dashboardPath, 'utf8'))
const queries = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr, legendFormat }) => ({
    name: `${title}: ${legendFormat}`,
    // What Grafana puts in at four times the interval of the scrapes.
    query: expr.replaceAll('$__rate_interval', '4s'),
  })),
)
/** The service of the test has no store. */
const emptyWithoutStore = [
  'count(parlando_store_up == 0)',
  'sum by (result) (rate(parlando_kept_sound_total[4s])) * 60',
]

/** Starts Prometheus, which scrapes the service each second. @returns its address, and a function that ends it. */
async function startPrometheus(serviceUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-prometheus-'))
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [
      { job_name: 'parlando', static_configs: [{ targets: [new URL(serviceUrl).host] }] },
    ],
  }
  const configPath = join(folder, 'prometheus.json')
  // JSON is YAML.
  await writeFile(configPath, JSON.stringify(config))
  const address = `127.0.0.1:${await freePort()}`
  const options = [
    `--config.file=${configPath}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ]
  const child = spawn(findProgram('prometheus')!, options, { stdio: 'ignore' })
  return {
    baseUrl: `http://${address}`,
    async close() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

describe('the dashboard for Grafana', needs('prometheus'), () => {
  let service: LocalService
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>
  beforeAll(async () => {
    service = await startLocalService()
    prometheus = await startPrometheus(service.baseUrl)
  })
  afterAll(async () => {
    await prometheus.close()
    await service.close()
  })

  const ask = async (query: string) => {
    const response = await fetch(
      `${prometheus.baseUrl}/api/v1/query?${new URLSearchParams({ query })}`,
    )
    return (await response.json()) as {
      status: string
      error?: string
      data: { result: { value: [number, string] }[] }
    }
  }

  it('has queries that Prometheus accepts, and that have values while there is traffic', async () => {
    const client = createClient({ baseUrl: service.baseUrl })
    await connectSocket(service.baseUrl, '/v1/realtime')
    const speak = () =>
      client.synthesize({ text: 'The laundry is done.', voiceId: 'Clara', modelId: 'svc-tts-2' })
    const expectValues = async () => {
      await speak()
      for (const { name, query } of queries) {
        const { status, error, data } = await ask(query)
        expect({ name, status, error }).toEqual({ name, status: 'success', error: undefined })
        if (emptyWithoutStore.includes(query)) expect(data.result, name).toEqual([])
        else expect(data.result.length, name).toBeGreaterThan(0)
      }
    }
    try {
      await vi.waitFor(expectValues, { timeout: 60_000, interval: 500 })
      const [p95] = (await ask(queries.find(({ name }) => name === 'First audio: p95')!.query)).data
        .result
      expect(Number(p95?.value[1])).toBeGreaterThan(0)
    } finally {
      await client.close()
    }
  }, 120_000)
})
