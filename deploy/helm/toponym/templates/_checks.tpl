{{/* Fails if values contradict each other, or if the service would refuse them. */}}
{{- define "toponym.check" -}}
{{- $values := .Values }}
{{- if not (regexMatch "^[a-z]" (include "toponym.fullname" .)) }}
{{- fail (printf "names of Services begin with a letter, got %s: set fullnameOverride" (include "toponym.fullname" .)) }}
{{- end }}
{{- $several := or $values.autoscaling.enabled (gt (int $values.replicaCount) 1) }}
{{- if and $several (not $values.redis.urls) (not $values.keys.existingSecret) }}
{{- fail "more than one pod (replicaCount, autoscaling) needs redis.urls or keys.existingSecret: without them each pod would have keys of its own" }}
{{- end }}
{{- include "toponym.checkRedis" . }}
{{- $min := int $values.autoscaling.minReplicas }}
{{- $max := int $values.autoscaling.maxReplicas }}
{{- if and $values.autoscaling.enabled (lt $max $min) }}
{{- fail (printf "autoscaling.maxReplicas must be at least autoscaling.minReplicas (%d), got %d" $min $max) }}
{{- end }}
{{- if and $values.metrics.serviceMonitor.enabled (not $values.metrics.enabled) }}
{{- fail "metrics.serviceMonitor.enabled needs metrics.enabled: true" }}
{{- end }}
{{- if eq (int $values.metrics.port) 8443 }}
{{- fail "metrics.port must not be 8443, which is the port of the service in the pod" }}
{{- end }}
{{- if and $values.config.proxyProtocol (not $values.trustedProxies) }}
{{- fail "config.proxyProtocol needs trustedProxies: name the proxies that send the header" }}
{{- end }}
{{- if and $values.ingress.enabled (not $values.trustedProxies) }}
{{- fail "ingress.enabled needs trustedProxies: without the addresses of the ingress controller, all clients share its limit of calls" }}
{{- end }}
{{- range $block := $values.trustedProxies }}
{{- if and (eq $values.tls.mode "proxy") (or (regexMatch "^[0-9.]+/[0-7]$" $block) (regexMatch ":.*/[0-6]$" $block)) }}
{{- fail (printf "trustedProxies: with tls.mode proxy, a block may be /8 (IPv4) or /7 (IPv6) at most, got %s" $block) }}
{{- end }}
{{- end }}
{{- include "toponym.checkLabels" (list "podLabels" $values.podLabels) }}
{{- include "toponym.checkLabels" (list "metrics.serviceMonitor.labels" $values.metrics.serviceMonitor.labels) }}
{{- end }}

{{- define "toponym.checkRedis" -}}
{{- $redis := .Values.redis }}
{{- if not $redis.urls }}
{{- if ne $redis.mode "standalone" }}
{{- fail (printf "redis.mode %s needs redis.urls" $redis.mode) }}
{{- end }}
{{- if or $redis.existingSecret $redis.caSecret }}
{{- fail "redis.existingSecret and redis.caSecret need redis.urls" }}
{{- end }}
{{- else }}
{{- if .Values.keys.existingSecret }}
{{- fail "redis.urls and keys.existingSecret exclude each other: with Redis, the keys are in Redis. `toponym keys copy` copies them there" }}
{{- end }}
{{- if and (eq $redis.mode "standalone") (gt (len $redis.urls) 1) }}
{{- fail (printf "redis.urls: one server has one URL, got %d; for more, set redis.mode to cluster or sentinel:NAME" (len $redis.urls)) }}
{{- end }}
{{- $secure := 0 }}
{{- range $redis.urls }}
{{- if regexMatch "^rediss?://[^@]*:[^@]*@" . }}
{{- fail "redis.urls: a URL must not have a password, which everyone who may read the pod would see; put it into a Secret and set redis.existingSecret" }}
{{- end }}
{{- if and (eq $redis.mode "cluster") (regexMatch "[^/]/0*[1-9][0-9]*$" .) }}
{{- fail (printf "redis.urls: a cluster has only database 0, got %s" .) }}
{{- end }}
{{- if hasPrefix "rediss://" . }}{{ $secure = add1 $secure }}{{ end }}
{{- end }}
{{- if and $secure (ne (int $secure) (len $redis.urls)) }}
{{- fail "redis.urls: redis:// and rediss:// cannot be mixed" }}
{{- end }}
{{- if and $redis.caSecret (not $secure) }}
{{- fail "redis.caSecret needs rediss:// in redis.urls: redis:// does not use TLS" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "toponym.checkLabels" -}}
{{- $name := first . }}
{{- range $label, $_ := last . }}
{{- if regexMatch "^(app\\.kubernetes\\.io/(name|instance|version|managed-by|component)|helm\\.sh/chart)$" $label }}
{{- fail (printf "%s must not have the label %s, which the chart sets" $name $label) }}
{{- end }}
{{- end }}
{{- end }}
