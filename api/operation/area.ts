import type { Route } from '../http/route.ts'
import type { CommonPorts } from '../ports.ts'
import type { OperationPorts } from './ports.ts'
import { auditRoutes } from './routes/audit-routes.ts'
import { deadLetterRoutes } from './routes/dead-letters.ts'
import { demoRoutes } from './routes/demo-routes.ts'
import { nameRoutes } from './routes/names-routes.ts'
import { operationRoutes } from './routes/operation-routes.ts'
import { retractionRoutes } from './routes/retractions.ts'
import { auditList } from './services/audit-service.ts'
import { operationService } from './services/operation-service.ts'

/** Routes for operators: dead letters, topics, consumers, health, demonstration data, retractions, the audit log. */
export function operationArea(ports: CommonPorts & OperationPorts): Route[] {
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
