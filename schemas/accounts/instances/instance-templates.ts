/** What an instance can be made of. Another driver may know more templates than these: their ids are passed on as they are. */

export type InstanceTemplate = {
  id: string
  name: string
  description: string
  machineType: string
  diskSizeGb: number
  diskType: string
  image: string
  region: string
  /** Zones where it can be created; the first one is the default. */
  zones: readonly [string, ...string[]]
}

const COMMON = { diskType: 'ssd', image: 'debian-13', region: 'region-a', zones: ['zone-a', 'zone-b'] } as const

export const TEMPLATES: readonly InstanceTemplate[] = [
  {
    ...COMMON,
    id: 'workbench',
    name: 'Workbench',
    description: 'A small machine for an analyst: shell, editors, network tools.',
    machineType: 'small',
    diskSizeGb: 20,
  },
  {
    ...COMMON,
    id: 'sandbox',
    name: 'Sandbox',
    description: 'A machine for untrusted files and sites; reset it after each use.',
    machineType: 'medium',
    diskSizeGb: 40,
  },
  {
    ...COMMON,
    id: 'notebook',
    name: 'Notebook',
    description: 'A larger machine for notebooks over the SQL views.',
    machineType: 'large',
    diskSizeGb: 80,
  },
]
