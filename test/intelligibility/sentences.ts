/** Typical sentences of homes and offices; no voice was measured or tuned with them. */
export const sentences = [
  'The washing machine has finished its cycle.',
  'There is somebody at the front door.',
  'Tomorrow will be sunny with a light wind from the west.',
  'Your appointment with the doctor is on Thursday at nine in the morning.',
  'The temperature in the living room is twenty one degrees.',
  'Please remember to close the windows before you leave the house.',
  'The train to the city leaves in fifteen minutes.',
  'Dinner is ready and everybody is waiting for you.',
  'The garage door was left open last night.',
  'I could not find any music with that name.',
  'You have three new messages and one missed call.',
  'The battery of the smoke detector is almost empty.',
  'Someone has turned on the lights in the garden.',
  'The meeting was moved to the second floor because of the noise.',
]
