// The entry `@opstate/react/devtools`: a thread in Redux DevTools, whose past components may show.

export {
  connectDevtools,
  type DevtoolsConnection,
  type DevtoolsExtension,
  type DevtoolsOptions,
  type DevtoolsSource,
  type DevtoolsView,
} from "@opstate/client/devtools";
