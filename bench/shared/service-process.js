// The speech service in its own process. It reports its resource usage whenever it receives a message.
import { startLocalService } from '@parlando/local-service'

for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit())
const { baseUrl } = await startLocalService()
process.on('message', () => {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const mebibyte = 1024 * 1024
  process.send({
    rssMiB: rss / mebibyte,
    heapMiB: heapUsed / mebibyte,
    cpuSeconds: (user + system) / 1e6,
  })
})
process.send({ baseUrl })
