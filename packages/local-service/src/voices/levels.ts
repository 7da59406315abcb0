/** Factors that bring the voices of the engines to one loudness, by engine and voice. */
const gains: Readonly<Record<string, number>> = {
  'flite slt': 0.65,
  'flite rms': 1.2,
  'flite awb': 1.1,
  'flite kal16': 2.4,
}

export function gainOf({ engine, engineVoice }: { engine: string; engineVoice: string }): number {
  return gains[`${engine} ${engineVoice}`] ?? 1
}
