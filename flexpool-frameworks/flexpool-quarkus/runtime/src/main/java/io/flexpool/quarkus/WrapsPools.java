// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Bound, while an application is built, to the two methods of Quarkus between which a datasource is born: the one that makes it,
 * and the one that wraps it for OpenTelemetry.
 */
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface WrapsPools {}
