/**
 * The body of a 200 response to `GET /readyz`, on the port of the service and on the metrics listener.
 * A file of its own, because the metrics listener needs nothing else of the routes.
 */
export function readinessJson(data: string, notice: string | undefined): string {
  return JSON.stringify({ status: 'ready', data, notice: notice || undefined }); // no empty notice
}
