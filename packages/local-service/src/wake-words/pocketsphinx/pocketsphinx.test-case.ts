import type { WakeWordCase } from '../wake-word-test-case.ts'

const startCase: WakeWordCase = async () => ({})

export default startCase
