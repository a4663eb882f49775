import type { Route } from '../http/route.ts'
import type { ApiPorts } from '../ports.ts'
import { auditRoutes } from './routes/audit.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { demoRoutes } from './routes/demo.ts'
import { nameRoutes } from './routes/names.ts'
import { operationRoutes } from './routes/operation.ts'
import { retractionRoutes } from './routes/retractions.ts'
import { auditList } from './services/audit.ts'
import { operationService } from './services/operation.ts'

/** Routes for operators: dead letters, topics, consumers, health, demonstration data, retractions, the audit log. */
export function operationArea(ports: ApiPorts): Route[] {
  const operation = operationService(ports)
  return [
    ...deadLetterRoutes(operation),
    ...operationRoutes({ ...ports, operation }),
    ...demoRoutes(ports.demo),
    ...retractionRoutes(ports),
    ...nameRoutes(ports.names),
    ...auditRoutes(auditList(ports), ports.now),
  ]
}
