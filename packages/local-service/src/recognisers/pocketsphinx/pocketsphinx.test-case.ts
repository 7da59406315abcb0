import type { RecogniserCase } from '../../config/part-test-case.ts'

const startCase: RecogniserCase = async () => ({})

export default startCase
