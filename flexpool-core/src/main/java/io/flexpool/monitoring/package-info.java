// SPDX-License-Identifier: Apache-2.0
/**
 * A pool's interfaces for backends, endpoints and tools ({@link io.flexpool.monitoring.PoolView},
 * {@link io.flexpool.monitoring.PoolControl}), its figures and health, and the service provider interface of metrics
 * backends.
 */
@NullMarked
package io.flexpool.monitoring;

import org.jspecify.annotations.NullMarked;
