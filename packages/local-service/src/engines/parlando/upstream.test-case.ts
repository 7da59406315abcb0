import { keys } from '@parlando/test-support/secrets/keys'
import type { EngineCase } from '../../part-registry/part-test-case.ts'
import { startLocalService } from '../../service.ts'

const startCase: EngineCase = async () => {
  const service = await startLocalService({ apiKey: keys.service, warmUp: false })
  const options = { upstream: service.baseUrl, upstreamKey: keys.service }
  return { options, close: service.close }
}

export default startCase
