// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.sax.SAXSource;
import javax.xml.transform.stax.StAXSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** What an XML document is read from and written to ends with the lease. */
class LeasedSourcesTest {
    private final LeasedConnection lease = DelegationContract.lease();

    private static InputStream document() {
        return new BufferedInputStream(new ByteArrayInputStream("<a><b>text</b></a>".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void theStreamOfASource() throws Exception {
        StreamSource source = LeasedSources.out(new StreamSource(document()), lease);
        assertThat(source.getInputStream().read()).isEqualTo('<');
        lease.close();
        assertThatThrownBy(source.getInputStream()::read).isInstanceOf(IOException.class);
        assertThat(source.getReader()).isNull();
    }

    @Test
    void theStreamOfASaxSource() throws Exception {
        SAXSource source = LeasedSources.out(new SAXSource(new InputSource(document())), lease);
        assertThat(source.getInputSource().getByteStream().read()).isEqualTo('<');
        lease.close();
        assertThatThrownBy(source.getInputSource().getByteStream()::read).isInstanceOf(IOException.class);
        assertThat(LeasedSources.out(new SAXSource(), lease).getInputSource()).isNull();
    }

    @Test
    void theEventsOfAStaxSource() throws Exception {
        XMLStreamReader theirs = XMLInputFactory.newFactory().createXMLStreamReader(document());
        StAXSource source = LeasedSources.out(new StAXSource(theirs), lease);
        XMLStreamReader reader = source.getXMLStreamReader();
        assertThat(reader.hasNext()).isTrue();
        assertThat(reader.next()).isEqualTo(XMLStreamReader.START_ELEMENT);
        assertThat(reader.nextTag()).isEqualTo(XMLStreamReader.START_ELEMENT);
        assertThat(reader.getLocalName()).isEqualTo("b");
        assertThat(reader.getElementText()).isEqualTo("text");
        lease.close();
        assertThatThrownBy(reader::next).isInstanceOf(XMLStreamException.class);
        assertThatThrownBy(reader::nextTag).isInstanceOf(XMLStreamException.class);
        assertThatThrownBy(reader::hasNext).isInstanceOf(XMLStreamException.class);
        assertThatThrownBy(reader::getElementText).isInstanceOf(XMLStreamException.class);
        reader.close();
        assertThat(theirs.nextTag()).as("not closed").isEqualTo(XMLStreamReader.END_ELEMENT);
    }

    @Test
    void theStreamsOfAResult() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        StreamResult result = LeasedSources.out(new StreamResult(bytes), lease);
        StreamResult letters = LeasedSources.out(new StreamResult(new FilterWriter(new StringWriter()) {}), lease);
        result.getOutputStream().write(7);
        letters.getWriter().write(7);
        lease.close();
        assertThatThrownBy(() -> result.getOutputStream().write(8)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> letters.getWriter().write(8)).isInstanceOf(IOException.class);
        assertThat(bytes.toByteArray()).containsExactly(7);
    }

    @Test
    void aSourceInMemoryStaysAsItIs() {
        DOMSource document = new DOMSource();
        assertThat(LeasedSources.out(document, lease)).isSameAs(document);
        assertThat(LeasedSources.out((StreamSource) null, lease)).isNull();
    }
}
