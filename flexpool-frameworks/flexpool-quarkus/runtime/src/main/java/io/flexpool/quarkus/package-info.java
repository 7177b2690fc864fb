// SPDX-License-Identifier: Apache-2.0
/** Wraps every Agroal datasource of a Quarkus application. */
@NullMarked
package io.flexpool.quarkus;

import org.jspecify.annotations.NullMarked;
