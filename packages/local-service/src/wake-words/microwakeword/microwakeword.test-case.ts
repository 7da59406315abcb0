import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import type { WakeWordCase } from '../../part-registry/part-test-case.ts'

const startCase: WakeWordCase = async () => ({
  spoken: { phrase: 'Hey Jarvis', samples: await spokenSound('hey Jarvis') },
})

export default startCase
