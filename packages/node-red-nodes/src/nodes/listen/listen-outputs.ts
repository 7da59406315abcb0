export type ListenOutput = 'text' | 'not-understood' | 'interim' | 'speech'

/** The settings that decide which outputs a *listen* node has. */
export interface ListenOutputSettings {
  output?: unknown
  interim?: unknown
  speech?: unknown
}

/** The outputs in their order on the canvas. */
export function listenOutputs({ output, interim, speech }: ListenOutputSettings): ListenOutput[] {
  return [
    'text',
    ...(output === 'sentences' ? (['not-understood'] as const) : []),
    ...(interim === true ? (['interim'] as const) : []),
    ...(speech === true ? (['speech'] as const) : []),
  ]
}
