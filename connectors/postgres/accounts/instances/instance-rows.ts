/** Rows of instances <-> records of the port. */

import type { Insertable, Selectable } from 'kysely'
import { instanceStatus } from '../../../../schemas/accounts/instances/instance.ts'
import type { InstanceTables } from '../../tables/instances-tables.ts'
import type { Instance } from './port.ts'

export const MAX_INSTANCES = { service: 'compute-api', featureKey: 'max_instances' }

export const instanceRow = (instance: Instance, dueAt: number): Insertable<InstanceTables['instances']> => ({
  id: instance.id,
  customer_id: instance.customerId,
  user_id: instance.userId,
  name: instance.name,
  zone: instance.zone,
  machine_type: instance.machineType,
  status: instance.status,
  template_id: instance.templateId,
  created_at: new Date(instance.createdAt),
  due_at: new Date(dueAt),
})

export const instanceOf = (row: Selectable<InstanceTables['instances']>): Instance => ({
  id: row.id,
  customerId: row.customer_id,
  userId: row.user_id,
  name: row.name,
  zone: row.zone,
  machineType: row.machine_type,
  status: instanceStatus(row.status),
  templateId: row.template_id,
  createdAt: row.created_at.getTime(),
})
