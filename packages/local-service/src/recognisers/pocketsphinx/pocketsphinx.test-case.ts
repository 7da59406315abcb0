import type { RecogniserCase } from '../../parts/part-test-case.ts'

const startCase: RecogniserCase = async () => ({})

export default startCase
