// The real service in its own process. On request it reports its resources or kills its threads. The service itself has
// no such function, so this file tracks the threads as they start.
import { trackThreads } from '@parlando/test-support/watch/track-threads'

const started = trackThreads()
const { startLocalService } = await import('@parlando/local-service')

for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit())
const { baseUrl } = await startLocalService()
process.on('message', async (command) => {
  if (command === 'kill') await Promise.all([...started].map((thread) => thread.terminate()))
  globalThis.gc?.()
  const connections = process
    .getActiveResourcesInfo()
    .filter((resource) => resource === 'TCPSocketWrap').length
  const { rss, heapUsed } = process.memoryUsage()
  process.send({ threads: started.size, connections, rss, heapUsed })
})
process.send({ baseUrl })
