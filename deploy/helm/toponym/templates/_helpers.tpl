{{/* Name of the chart, or its override. */}}
{{- define "toponym.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* Name of all objects. At most 55 characters, so that suffixes fit into 63. */}}
{{- define "toponym.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 55 | trimSuffix "-" }}
{{- else if contains (include "toponym.name" .) .Release.Name }}
{{- .Release.Name | trunc 55 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "toponym.name" .) | trunc 55 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* Labels that select the pods. They never change. */}}
{{- define "toponym.selectorLabels" -}}
app.kubernetes.io/name: {{ include "toponym.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "toponym.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
{{ include "toponym.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- end }}

{{- define "toponym.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "toponym.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "toponym.image" -}}
{{- $repository := required "image.repository is required: the name of your build of deploy/Dockerfile, such as registry.example.com/toponym" .Values.image.repository }}
{{- if .Values.image.digest }}
{{- printf "%s@%s" $repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" $repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}
{{- end }}

{{/* The scheme of calls to the pod: https or http. It is also the name of the port. */}}
{{- define "toponym.scheme" -}}
{{- eq .Values.tls.mode "proxy" | ternary "http" "https" }}
{{- end }}

{{- define "toponym.servicePort" -}}
{{- default (eq .Values.tls.mode "proxy" | ternary 80 443) .Values.service.port | int }}
{{- end }}

{{/*
Non-empty if probes use the metrics port: the kubelet is not a trusted proxy, sends no PROXY header
if it is one, and has no client certificate.
*/}}
{{- define "toponym.hasMetricsProbes" -}}
{{- if or (eq .Values.tls.mode "proxy") .Values.config.proxyProtocol .Values.config.tlsClientCa }}true{{ end }}
{{- end }}

{{/* Non-empty if the pod opens the metrics port. */}}
{{- define "toponym.hasMetricsPort" -}}
{{- if or .Values.metrics.enabled (include "toponym.hasMetricsProbes" .) }}true{{ end }}
{{- end }}

{{/* Non-empty if the state folder is a persistent volume. */}}
{{- define "toponym.isPersistent" -}}
{{- if and .Values.persistence.enabled (not .Values.redis.urls) (not .Values.keys.existingSecret) }}true{{ end }}
{{- end }}

{{/* Ports of Redis, as a list of a NetworkPolicy. */}}
{{- define "toponym.redisPorts" -}}
{{- $ports := list }}
{{- range .Values.redis.urls }}
{{- $hasPort := regexMatch ":[0-9]+(/[0-9]*)?$" . }}
{{- $ports = append $ports ($hasPort | ternary (regexReplaceAll "^.*:([0-9]+)(/[0-9]*)?$" . "${1}") "6379" | int) }}
{{- end }}
{{- if hasPrefix "sentinel:" .Values.redis.mode }}
{{- $ports = append $ports 6379 }}
{{- end }}
{{- range default (uniq $ports) .Values.networkPolicy.redisPorts }}
- port: {{ int . }}
  protocol: TCP
{{- end }}
{{- end }}

{{/* Minimum number of pods. */}}
{{- define "toponym.minReplicas" -}}
{{- .Values.autoscaling.enabled | ternary .Values.autoscaling.minReplicas .Values.replicaCount | int }}
{{- end }}

{{/* Where a probe calls the pod. */}}
{{- define "toponym.probeTarget" -}}
{{- if include "toponym.hasMetricsProbes" . -}}
port: metrics
scheme: HTTP
{{- else -}}
port: https
scheme: HTTPS
{{- end }}
{{- end }}
