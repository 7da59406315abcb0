import { optionalEngines } from '@parlando/test-support/local-service'
import type { EngineCase } from '../engine-case.ts'

const startCase: EngineCase = async () => ({ dataFolder: optionalEngines })

export default startCase
