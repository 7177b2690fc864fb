// SPDX-License-Identifier: Apache-2.0
/** The build steps of flexpool in a Quarkus application. */
@NullMarked
package io.flexpool.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
