import type { Route } from '../http/route.ts'
import type { ApiConfig, CommonPorts } from '../ports.ts'
import type { ScansPorts } from './ports.ts'
import { adminScanRoutes } from './routes/admin-scans.ts'
import { scanRoutes } from './routes/scans-routes.ts'
import { scanService } from './services/scans-service.ts'

/** Routes of scans: of users and of administrators. */
export function scansArea(ports: CommonPorts & ScansPorts, config: ApiConfig): Route[] {
  const scans = scanService(ports, config)
  return [...scanRoutes(scans), ...adminScanRoutes(scans)]
}
