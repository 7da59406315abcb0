import type { WakeWordCase } from '../../config/part-test-case.ts'

const startCase: WakeWordCase = async () => ({})

export default startCase
