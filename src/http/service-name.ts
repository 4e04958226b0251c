/** Valid service names: the name becomes part of a header's name. */
export const SERVICE_NAME = /^(?=.{1,64}$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/;
