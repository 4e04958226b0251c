/** Matches valid service names. The service name `Acme` makes the key header `X-Acme-Key`. */
export const SERVICE_NAME_PATTERN = /^(?=.{1,64}$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/;
