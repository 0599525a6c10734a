<?php
// The Yii handler, unmodified, with the few classes of Yii that it touches. Its address is a constant, so the HTTP client of
// these stubs replaces the host. Prints one JSON object.
namespace skeeks\cms\callcheck { class CallcheckHandler { static public function descriptorConfig() { return []; } } }
namespace skeeks\cms\models {
    class CmsCallcheckMessage {
        const STATUS_OK = 'ok';
        const STATUS_ERROR = 'error';
        public $phone, $status, $code, $error_message, $provider_status, $provider_call_id, $provider_response_data;
    }
}
namespace skeeks\yii2\form\fields { class FieldSet {} }
namespace yii\base { class Exception extends \Exception {} }
namespace yii\helpers {
    class ArrayHelper {
        static public function getValue($data, $name) { return $data[$name] ?? null; }
        static public function merge(...$arrays) { return array_merge(...$arrays); }
    }
}
namespace yii\httpclient {
    class Client {
        const FORMAT_JSON = 'json';
        private $url;
        public $isOk, $content, $data;
        public function createRequest() { return $this; }
        public function setFormat($format) { return $this; }
        public function setUrl($url) { $this->url = $url; return $this; }
        public function send() {
            $url = getenv('BASE') . substr($this->url, strlen('https://api.ucaller.ru'));
            $context = stream_context_create(['http' => ['ignore_errors' => true]]);
            $this->content = file_get_contents($url, false, $context);
            $this->isOk = strpos($http_response_header[0], ' 200 ') !== false;
            $this->data = json_decode($this->content, true);
            return $this;
        }
    }
}
namespace {
    class Yii {
        static public $app;
        static public function t($category, $message) { return $message; }
        static public function info(...$ignored) {}
        static public function error(...$ignored) {}
    }
    Yii::$app = new class {
        public $security;
        public function __construct() {
            $this->security = new class { public function generateRandomString() { return bin2hex(random_bytes(16)); } };
        }
    };
    require getenv('CLIENT');
    $handler = new \skeeks\cms\callcheck\ucaller\UcallerCallcheckHandler();
    $handler->api_key = getenv('KEY');
    $handler->service_id = getenv('SERVICE_ID');
    $read = [];
    foreach (['called' => getenv('PHONE'), 'refused' => '12'] as $name => $phone) {
        $message = new \skeeks\cms\models\CmsCallcheckMessage();
        $message->phone = $phone;
        $handler->callcheckMessage($message);
        $read[$name] = $message;
    }
    echo json_encode($read);
}
