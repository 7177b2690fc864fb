// SPDX-License-Identifier: Apache-2.0
/** Shows flexpool's own figures as OpenTelemetry's db.client.connection metrics. */
@NullMarked
package io.flexpool.metrics.opentelemetry;

import org.jspecify.annotations.NullMarked;
