/** The recogniser model of the hosted service. Here, it names the first model for the language. */
export const defaultRecogniserModelId = 'svc/svc-stt-1'
