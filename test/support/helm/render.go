// Renders a Helm chart with Go's text/template and Sprig, which Helm itself uses.
//
//	render CHART_FOLDER RELEASE NAMESPACE [VALUES_FILE...]
//
// Prints a JSON object: the name of each template and its rendered text. It covers what charts
// without dependencies and hooks need, and does not check values.schema.json.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

func main() {
	if len(os.Args) < 4 {
		fail(errors.New("usage: render CHART_FOLDER RELEASE NAMESPACE [VALUES_FILE...]"))
	}
	chart, release, namespace := os.Args[1], os.Args[2], os.Args[3]
	values := readYaml(filepath.Join(chart, "values.yaml"))
	for _, file := range os.Args[4:] {
		override(values, readYaml(file))
	}
	metadata := object{}
	for key, value := range readYaml(filepath.Join(chart, "Chart.yaml")) {
		metadata[strings.ToUpper(key[:1])+key[1:]] = value
	}
	rendered, err := render(chart, object{
		"Values":       values,
		"Chart":        metadata,
		"Release":      object{"Name": release, "Namespace": namespace, "Service": "Helm", "Revision": 1, "IsInstall": true},
		"Capabilities": object{"KubeVersion": object{"Version": "v1.33.0", "Major": "1", "Minor": "33"}},
	})
	fail(err)
	fail(json.NewEncoder(os.Stdout).Encode(rendered))
}

func render(chart string, data object) (map[string]string, error) {
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if _, err := root.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	rendered := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text strings.Builder
		if err := root.ExecuteTemplate(&text, name, data); err != nil {
			return nil, err
		}
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	return rendered, nil
}

// functions returns Sprig's functions and those that Helm adds.
func functions(root *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	all["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	all["tpl"] = func(text string, data interface{}) (string, error) {
		copied, err := root.Clone()
		if err != nil {
			return "", err
		}
		parsed, err := copied.New("tpl").Parse(text)
		if err != nil {
			return "", err
		}
		var result strings.Builder
		err = parsed.Execute(&result, data)
		return result.String(), err
	}
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	all["lookup"] = func(...string) object { return object{} }
	return all
}

// override merges `from` into `into` as Helm does: null removes a value.
func override(into, from object) {
	for key, value := range from {
		old, isOldObject := into[key].(object)
		new, isNewObject := value.(object)
		switch {
		case value == nil:
			delete(into, key)
		case isOldObject && isNewObject:
			override(old, new)
		default:
			into[key] = value
		}
	}
}

func readYaml(path string) object {
	text, err := os.ReadFile(path)
	fail(err)
	value := object{}
	if err := yaml.UnmarshalStrict(text, &value); err != nil {
		fail(fmt.Errorf("%s: %w", path, err))
	}
	return value
}

func fail(err error) {
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
