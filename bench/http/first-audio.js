import { speechClients } from '../shared/speech-clients.js'
import { median, percentile } from '../shared/statistics.js'

const rounds = 60
const warmingRounds = 20
const callsPerRound = 20

/**
 * Alternates between the clients, in another order each round. Each makes several calls in a row, so that it is as warm
 * as in a program that uses only this client. @returns a row for each client.
 */
export async function measureFirstAudio(baseUrl) {
  const series = []
  for (const [name, create] of Object.entries(speechClients)) {
    const client = await create(baseUrl)
    series.push({ name, client, firstAudioMicroseconds: [], cpuMicroseconds: [] })
  }
  for (let round = -warmingRounds; round < rounds; round++) {
    for (let turn = 0; turn < series.length; turn++) {
      const one = series[(turn + round + series.length * warmingRounds) % series.length]
      const { times, cpu } = await callRepeatedly(one.client)
      if (round < 0) continue
      one.firstAudioMicroseconds.push(...times)
      one.cpuMicroseconds.push(cpu / callsPerRound)
    }
  }
  for (const { client } of series) await client.close()
  return series.map(({ name, firstAudioMicroseconds, cpuMicroseconds }) => ({
    client: name,
    calls: firstAudioMicroseconds.length,
    p50Microseconds: percentile(firstAudioMicroseconds, 50),
    p99Microseconds: percentile(firstAudioMicroseconds, 99),
    cpuMicrosecondsPerCall: median(cpuMicroseconds),
  }))
}

async function callRepeatedly(client) {
  const times = []
  const before = process.cpuUsage()
  for (let call = 0; call < callsPerRound; call++) {
    let firstAt
    const startedAt = performance.now()
    await client.speak(() => {
      firstAt ??= performance.now()
    })
    times.push((firstAt - startedAt) * 1000)
  }
  const { user, system } = process.cpuUsage(before)
  return { times, cpu: user + system }
}
