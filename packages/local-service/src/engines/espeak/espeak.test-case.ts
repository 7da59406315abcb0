import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import type { EngineCase } from '../../part-registry/part-test-case.ts'

const startCase: EngineCase = async () => ({ dataFolder: optionalEnginesFolder })

export default startCase
