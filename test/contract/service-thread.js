// The real service in a thread, whose JavaScript heap has a limit.
import { parentPort } from 'node:worker_threads'
import { startLocalService } from '@parlando/local-service'

const { baseUrl } = await startLocalService({ warmUp: false })
parentPort.postMessage(baseUrl)
