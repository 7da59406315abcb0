// The real service in a process of its own. It tells what it holds when it is asked, and kills its threads when it is
// told to: nothing in the service itself could, so the threads are noted here as they are started.
import { noteThreads } from '@parlando/test-support/track-threads'

const started = noteThreads()
const { startLocalService } = await import('@parlando/local-service')

for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.on(event, () => process.exit())
const { baseUrl } = await startLocalService()
process.on('message', async (order) => {
  if (order === 'kill') await Promise.all([...started].map((thread) => thread.terminate()))
  globalThis.gc?.()
  const connections = process
    .getActiveResourcesInfo()
    .filter((resource) => resource === 'TCPSocketWrap').length
  const { rss, heapUsed } = process.memoryUsage()
  process.send({ threads: started.size, connections, rss, heapUsed })
})
process.send({ baseUrl })
