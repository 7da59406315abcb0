/** A saved flow with a service of this device, and a speak node that uses it. */
export const savedFlow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'service', type: 'parlando-service', name: '', location: 'device', baseUrl: '' },
  {
    id: 'speak',
    type: 'parlando-speak',
    z: 'tab',
    service: 'service',
    x: 200,
    y: 500,
    wires: [[]],
  },
]
